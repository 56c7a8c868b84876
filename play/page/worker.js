'use strict'
importScripts('wasm_exec.js') // of the Go distribution

self.onmessage = async ({ data }) => {
  if (data.module) {
    try {
      const go = new Go()
      self.rowkeyReady = () => self.postMessage({ ready: true })
      go.run(await WebAssembly.instantiate(data.module, go.importObject))
    } catch (e) { self.postMessage({ failed: String(e) }) }
    return
  }
  // A fault that ends the Go program gives no answer, or throws: the page starts another.
  try {
    const answer = self.rowkeyCall(data.method, data.request)
    if (typeof answer !== 'string') throw new Error('the program has ended')
    self.postMessage({ id: data.id, answer })
  } catch (e) { self.postMessage({ failed: String(e) }) }
}
