//go:build js && wasm

// Command wasm is the playground's functions in a browser: rowkeyCall(method, request) is the answer.
package main

import (
	"syscall/js"

	"github.com/hbase-rowkey/rowkey/play"
)

func main() {
	js.Global().Set("rowkeyCall", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if len(args) != 2 || args[0].Type() != js.TypeString || args[1].Type() != js.TypeString {
			return `{"error":"expected a method and a request"}`
		}
		return string(play.Call(args[0].String(), []byte(args[1].String())))
	}))
	js.Global().Call("rowkeyReady")
	select {}
}
