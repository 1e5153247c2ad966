/**
 * SHA-256, for the hashes that fix the dice. Browsers only have it over https, and a phone at home uses http.
 * FIPS 180-4, “Secure Hash Standard”: the names are those of the standard.
 */
const PRIMES = primes(64);
const K = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const H = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

/** The hash of a text, in hexadecimal. @param {string} text */
export function sha256(text) {
  const message = new TextEncoder().encode(text);
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 0x20000000));
  view.setUint32(padded.length - 4, message.length * 8);
  let hash = H;
  for (let block = 0; block < padded.length; block += 64) hash = compressed(hash, view, block);
  return hash.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** @param {number[]} hash @param {DataView} view @param {number} block where it begins @returns {number[]} */
function compressed(hash, view, block) {
  const w = Array.from({ length: 16 }, (_none, t) => view.getInt32(block + 4 * t));
  for (let t = 16; t < 64; t++) {
    const [early, late] = [at(w, t - 15), at(w, t - 2)];
    const s0 = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const s1 = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    w.push((at(w, t - 16) + s0 + at(w, t - 7) + s1) | 0);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let t = 0; t < 64; t++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(K, t) + at(w, t)) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(t1 + t2) | 0, a, b, c, (d + t1) | 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h].map((word, k) => (word + at(hash, k)) | 0);
}

/** @param {number[]} words @param {number} k */
function at(words, k) {
  return words[k] ?? 0;
}

/** @param {number} word @param {number} by bits, to the right */
function turned(word, by) {
  return (word >>> by) | (word << (32 - by));
}

/** The first 32 bits after the point. @param {number} number */
function fraction(number) {
  return Math.floor((number - Math.floor(number)) * 2 ** 32) | 0;
}

/** @param {number} count */
function primes(count) {
  /** @type {number[]} */
  const found = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}
