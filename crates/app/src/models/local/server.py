"""Serves one model on the loopback, until it is ended.

Standard input has one line of JSON with what is to be served. It comes once the caller has noted this process, so that no server
runs of which nobody knows: if the caller is gone before, this process ends. Standard output has one line, the address; all
else goes to the log. The model and the port are arguments too, so that a list of processes says what this one is.
"""

import json
import os
import signal
import sys

# Neither the terminal nor the end of its session ends this process.
os.setsid()
line = sys.stdin.readline()
if not line:
    sys.exit(0)
told = json.loads(line)
answer = os.dup(1)
os.dup2(2, 1)

engine = __import__(told["module"])
settings = engine.CommonParams()
settings.model.path = told["path"]
settings.model_alias = {told["model"]}
settings.n_ctx = told["context"]
settings.n_parallel = 1
settings.hostnames = ["127.0.0.1"]
settings.port = told["port"]
settings.use_jinja = True
settings.offline = True
settings.ui = False
# Pages of a browser get no answers.
settings.cors_origins = "http://127.0.0.1"
settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = told["threads"]
server = engine.Server(settings)
os.write(answer, (server.listening_address + "\n").encode())
os.close(answer)
signal.pause()
