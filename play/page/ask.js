// The Go code is asked here: over HTTP under rowkey play, as WebAssembly on a site. On a site two
// workers run it, so that a simulation never holds up a keystroke; the second loads when it is asked.

const runs = document.querySelector('meta[name=rowkey-runs]').content
export const overHTTP = runs === 'http'

async function viaHTTP(method, request) {
  const r = await fetch('api/' + method, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(request), credentials: 'omit' })
  if (!r.ok) return { error: (await r.text()).trim() }
  return r.json()
}

function worker(program) {
  let ready, count = 0
  const waiting = new Map()
  const start = () => ready ||= (async () => {
    const w = new Worker('worker.js')
    const module = await WebAssembly.compileStreaming(fetch(program))
    await new Promise((resolve, reject) => {
      w.onerror = e => reject(new Error(e.message || 'the worker does not start'))
      w.onmessage = ({ data }) => {
        if (data.ready) return resolve()
        if (data.failed) return reject(new Error(data.failed))
        waiting.get(data.id)(JSON.parse(data.answer))
        waiting.delete(data.id)
      }
      w.postMessage({ module })
    })
    return w
  })()
  return async (method, request) => {
    const w = await start()
    return new Promise(resolve => { waiting.set(++count, resolve); w.postMessage({ id: count, method, request: JSON.stringify(request) }) })
  }
}

const fast = worker('rowkey.wasm'), slow = worker('later.wasm')
const later = (method, request) => method === 'simulate' || method === 'infer' || method === 'take' && (request.as === 'gengo' || request.as === 'java')

// ask calls a method. Its answer has an error if something is wrong; nothing is thrown.
export async function ask(method, request) {
  try {
    if (overHTTP) return await viaHTTP(method, request)
    return await (later(method, request) ? slow : fast)(method, request)
  } catch (e) { return { error: String(e.message || e), dead: true } }
}
