// A link holds the page: "#1", the version, then the state as JSON, deflated, in base64 of URLs. A
// link of every version opens in every later one.

export const longest = 64 << 10 // of a link; what is longer is a file
const widest = 128 << 10 // of what a link unpacks to

const toText = bytes => btoa(Array.from(bytes, c => String.fromCharCode(c)).join('')).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
const toBytes = text => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), c => c.charCodeAt(0))

export async function pack(state) {
  const packed = new Blob([JSON.stringify(thin(state))]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return '#1' + toText(new Uint8Array(await new Response(packed).arrayBuffer()))
}

// unpack gives the state of a link; null if it holds none.
export async function unpack(hash) {
  if (hash.length > longest || !/^#1[A-Za-z0-9_-]+$/.test(hash)) return null
  try {
    const reader = new Blob([toBytes(hash.slice(2))]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
    const parts = []
    for (let size = 0; ;) {
      const { done, value } = await reader.read()
      if (done) break
      if ((size += value.length) > widest) { reader.cancel(); return null }
      parts.push(value)
    }
    return clean(JSON.parse(await new Blob(parts).text()))
  } catch { return null }
}

const text = (v, most, or = '') => typeof v === 'string' ? v.slice(0, most) : or
const number = (v, least, most, or) => Number.isFinite(v) ? Math.round(Math.min(most, Math.max(least, v))) : or
const list = (v, most) => (Array.isArray(v) ? v : []).slice(0, most)
const fields = 1024 // that a schema may have, each with a value and a thing left open
const table = (v, most) => Object.fromEntries(Object.entries(v && typeof v === 'object' && !Array.isArray(v) ? v : {}).slice(0, fields).map(([k, x]) => [k.slice(0, 200), text(x, most)]))

// clean takes nothing but what has the shape of a state:
//   d designs: [name, text, answers]; v values and r rows by field; q questions; k pasted keys;
//   n rows that are simulated; s servers
export function clean(s) {
  if (!s || typeof s !== 'object') return null
  const designs = list(s.d, 3).map(d => ({ name: text(d && d[0], 60, 'design'), text: text(d && d[1], 8000), answers: list(d && d[2], 2 * fields).map(a => text(a, 8000, '\0')) }))
  if (!designs.length) return null
  return {
    designs, values: table(s.v, 4000), rows: table(s.r, 400), keys: text(s.k, 60000),
    questions: list(s.q, 12).map(q => list(q, 16).map(c => text(c, 2000))),
    count: number(s.n, 2000, 100000, 20000), servers: number(s.s, 1, 1000, 8),
  }
}

// thin leaves out what is as usual.
export function thin(s) {
  const out = { d: s.designs.map(d => d.answers.length ? [d.name, d.text, d.answers] : [d.name, d.text]) }
  if (Object.keys(s.values).length) out.v = s.values
  if (Object.keys(s.rows).length) out.r = s.rows
  if (s.questions.length) out.q = s.questions
  if (s.keys) out.k = s.keys
  if (s.count !== 20000) out.n = s.count
  if (s.servers !== 8) out.s = s.servers
  return out
}
