"""Runs every attempt to get out, each in a process of its own, and prints what stopped it as one line of JSON.

An attempt that returns has got out. What it returns says how far. Names as arguments choose among them.
"""
import errno, json, os, signal, sys, time

HERE = os.environ["DEED_WORKSPACE"]
sys.path.insert(0, HERE + "/input/escape")
import reach

FACTS = json.load(open(HERE + "/input/facts.json"))


def observed(function):
    try:
        return {"out": repr(function(FACTS))}
    except reach.Stopped as stopped:
        return {"by": str(stopped)}
    except OSError as error:
        return {"by": errno.errorcode.get(error.errno, str(error.errno))}
    except BaseException as error:
        return {"by": "error " + repr(error)[:300]}


def attempt(name, function):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(5)
        os.write(write, json.dumps(observed(function)).encode())
        os._exit(0)
    os.close(write)
    said = b""
    while chunk := os.read(read, 65536):
        said += chunk
    os.close(read)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return {"by": signal.Signals(os.WTERMSIG(status)).name}
    return json.loads(said)


for module in ("files", "calls", "network", "processes"):
    __import__(module)
wanted = sys.argv[1:] or reach.ATTEMPTS
for name in wanted:
    function = reach.ATTEMPTS[name]
    begun = time.monotonic()
    seen = attempt(name, function)
    print(json.dumps({"attempt": name, **seen, "ms": int((time.monotonic() - begun) * 1000)}), flush=True)
