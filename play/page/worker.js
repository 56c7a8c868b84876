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
  self.postMessage({ id: data.id, answer: self.rowkeyCall(data.method, data.request) })
}
