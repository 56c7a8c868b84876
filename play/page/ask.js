// The Go code is asked here: over HTTP under rowkey play, as WebAssembly on a site. On a site two
// workers run it, so that a simulation never holds up a keystroke.

const runs = document.querySelector('meta[name=rowkey-runs]').content
export const overHTTP = runs === 'http'

async function viaHTTP(method, request) {
  const r = await fetch('api/' + method, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(request), credentials: 'omit' })
  if (!r.ok) return { error: (await r.text()).trim() }
  return r.json()
}

let program // compiled once, for both workers
const compiled = () => program ||= WebAssembly.compileStreaming(fetch('rowkey.wasm'))

function worker() {
  let ready, count = 0
  const waiting = new Map()
  const start = () => ready ||= (async () => {
    const w = new Worker('worker.js')
    const module = await compiled()
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

const fast = worker(), slow = worker()

// ask calls a method. Its answer has an error if something is wrong; nothing is thrown.
export async function ask(method, request) {
  try {
    if (overHTTP) return await viaHTTP(method, request)
    return await (method === 'simulate' || method === 'infer' ? slow : fast)(method, request)
  } catch (e) { return { error: String(e.message || e), dead: true } }
}
