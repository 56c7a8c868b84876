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
  let ready = null, count = 0
  // A worker that fails, at its start or later, is ended: who waits for it is told, and the next call
  // starts another.
  const begin = async gone => {
    const waiting = new Map()
    let w
    try {
      w = new Worker('worker.js')
      const module = await WebAssembly.compileStreaming(fetch(program))
      await new Promise((resolve, reject) => {
        const fail = e => {
          w.terminate()
          gone()
          reject(e)
          for (const [, no] of waiting.values()) no(e)
        }
        w.onerror = e => fail(new Error(e.message || 'the worker does not start'))
        w.onmessage = ({ data }) => {
          if (data.ready) return resolve()
          if (data.failed) return fail(new Error(data.failed))
          waiting.get(data.id)[0](JSON.parse(data.answer))
          waiting.delete(data.id)
        }
        w.postMessage({ module })
      })
    } catch (e) { w?.terminate(); gone(); throw e }
    return (method, request) => new Promise((resolve, reject) => { waiting.set(++count, [resolve, reject]); w.postMessage({ id: count, method, request: JSON.stringify(request) }) })
  }
  const start = () => {
    let one = null
    return one = ready = begin(() => { if (ready === one) ready = null })
  }
  return async (method, request) => (await (ready || start()))(method, request)
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
