// Recomputes canon.json with nothing but what Node ships. Exits 1 at the first difference.
import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const vectors = JSON.parse(readFileSync(new URL("./canon.json", import.meta.url), "utf8"));
const sha256 = (data) => createHash("sha256").update(data).digest("hex");
const typed = (tag, value) => "sha256:" + sha256(tag + "\n" + canonical(value));

// RFC 8785: ECMAScript numbers and strings, keys by UTF-16 code units, which is what sort() does.
function canonical(value) {
  if (Array.isArray(value)) return "[" + value.map(canonical).join(",") + "]";
  if (value && typeof value === "object") {
    return "{" + Object.keys(value).sort().map((k) => JSON.stringify(k) + ":" + canonical(value[k])).join(",") + "}";
  }
  return JSON.stringify(value);
}

function same(what, found, expected) {
  if (found !== expected) {
    console.error(`${what}\n  here:    ${found}\n  vectors: ${expected}`);
    process.exit(1);
  }
}

for (const c of vectors.documents) {
  const value = JSON.parse(c.input);
  same("canonical form", canonical(value), c.canonical);
  same("typed hash", typed(c.tag, value), c.hash);
  same("derived id", "id_" + c.hash.slice("sha256:".length, "sha256:".length + 32), c.id);
}

const e = vectors.envelope;
const secret = createPrivateKey(e.private_key_pem);
const raw = createPublicKey(secret).export({ format: "der", type: "spki" }).subarray(-32);
same("public key", raw.toString("base64"), e.public_key);
const idInput = Buffer.concat([Buffer.from("deed/public-key/v1\n"), raw]);
same("key id", "ed25519:" + sha256(idInput).slice(0, 32), e.key_id);
const payload = Buffer.from(canonical(e.statement));
same("payload", payload.toString("base64"), e.envelope.payload);
const type = e.envelope.payloadType;
const pae = Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${payload.length} `), payload]);
same("signature", sign(null, pae, secret).toString("base64"), e.envelope.signatures[0].sig);
if (!verify(null, pae, createPublicKey(secret), Buffer.from(e.envelope.signatures[0].sig, "base64"))) process.exit(1);

let prev = null;
for (const [i, link] of vectors.chain.entries()) {
  same("place", link.seq, i);
  same("previous hash", link.prev, prev);
  prev = typed("deed/chain-link/v1", { seq: link.seq, prev: link.prev, body: link.body });
  same("link hash", link.hash, prev);
}
console.log(`${vectors.documents.length} documents, 1 envelope and ${vectors.chain.length} links agree`);
