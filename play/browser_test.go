package play_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/browser"
	"github.com/hbase-rowkey/rowkey/play"
	"github.com/hbase-rowkey/rowkey/play/serve"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// opened is the one browser of all tests.
var opened struct {
	sync.Once
	ctx  context.Context
	stop context.CancelFunc
}

func TestMain(m *testing.M) {
	code := m.Run()
	if opened.stop != nil {
		opened.stop()
	}
	os.Exit(code)
}

// tab is a page in the browser.
type tab struct {
	t   *testing.T
	ctx context.Context
	url string

	mu       sync.Mutex
	requests []string
	messages []string // of the console, and dialogs
}

// newTab opens an empty tab.
func newTab(t *testing.T, url string) *tab {
	path := browser.Path(t)
	opened.Do(func() {
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("lang", "en-US"))
		alloc, _ := chromedp.NewExecAllocator(context.Background(), options...)
		opened.ctx, opened.stop = chromedp.NewContext(alloc)
		if err := chromedp.Run(opened.ctx); err != nil {
			t.Fatal(err)
		}
	})
	ctx, stop := chromedp.NewContext(opened.ctx)
	t.Cleanup(stop)
	b := &tab{t: t, ctx: ctx, url: url}
	chromedp.ListenTarget(ctx, func(ev any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch ev := ev.(type) {
		case *network.EventRequestWillBeSent:
			b.requests = append(b.requests, ev.Request.URL)
		case *cdpruntime.EventConsoleAPICalled:
			if ev.Type == cdpruntime.APITypeError {
				b.messages = append(b.messages, "console: "+string(ev.Args[0].Value))
			}
		case *cdpruntime.EventExceptionThrown:
			b.messages = append(b.messages, ev.ExceptionDetails.Error())
		case *page.EventJavascriptDialogOpening:
			b.messages = append(b.messages, "dialog: "+ev.Message)
			go func() { _ = chromedp.Run(ctx, page.HandleJavaScriptDialog(false)) }()
		}
	})
	require.NoError(t, chromedp.Run(ctx, network.Enable(), cdpruntime.Enable(), chromedp.EmulateViewport(1360, 1000))) // the first run's context is the tab's
	return b
}

func (b *tab) run(actions ...chromedp.Action) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	require.NoError(b.t, chromedp.Run(ctx, actions...))
}

// open opens the page with a link's fragment, and waits until it has answered.
func (b *tab) open(fragment string) {
	b.t.Helper()
	b.run(chromedp.Navigate("about:blank"), chromedp.Navigate(b.url+fragment))
	b.until(`document.querySelector('.bytes, .say') !== null`)
}

// js is the value of an expression.
func js[T any](b *tab, expression string) (out T) {
	b.t.Helper()
	b.run(chromedp.Evaluate(expression, &out, func(p *cdpruntime.EvaluateParams) *cdpruntime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return out
}

// until waits for an expression to be true. It counts looks, not seconds.
func (b *tab) until(expression string) {
	b.t.Helper()
	for range 400 {
		if js[bool](b, `!!(`+expression+`)`) {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	b.shot("failed")
	b.t.Fatalf("never true: %s\nmessages: %v\npage: %.1500s", expression, b.messages, b.text("#app"))
}

func quoted(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

func (b *tab) text(selector string) string {
	b.t.Helper()
	return js[string](b, `document.querySelector(`+quoted(selector)+`)?.innerText ?? ''`)
}

// sees waits until an element says something.
func (b *tab) sees(selector, text string) {
	b.t.Helper()
	b.until(`[...document.querySelectorAll(` + quoted(selector) + `)].some(e => e.textContent.includes(` + quoted(text) + `))`)
}

// put types a whole text into an input, as pasting does.
func (b *tab) put(selector, text string) {
	b.t.Helper()
	b.until(`document.querySelector(` + quoted(selector) + `)`)
	js[any](b, `(() => { const e = document.querySelector(`+quoted(selector)+`); e.focus(); e.value = `+quoted(text)+`; e.dispatchEvent(new Event('input', { bubbles: true })) })()`)
}

// click clicks the first element of a selector that holds a text.
func (b *tab) click(selector, text string) {
	b.t.Helper()
	find := `[...document.querySelectorAll(` + quoted(selector) + `)].find(e => e.textContent.includes(` + quoted(text) + `))`
	b.until(find)
	js[any](b, find+`.click()`)
}

// shot makes a picture of the whole page, into the folder that ROWKEY_SCREENSHOTS names.
func (b *tab) shot(name string) {
	b.t.Helper()
	b.shotOf(name, func(png *[]byte) chromedp.Action { return chromedp.FullScreenshot(png, 100) })
}

func (b *tab) shotOf(name string, capture func(*[]byte) chromedp.Action) {
	b.t.Helper()
	var png []byte
	js[any](b, `scrollTo(0, 0)`)
	b.run(page.BringToFront(), capture(&png)) // of a tab that is not shown there may be none
	assert.Greater(b.t, len(png), 5_000, "an empty picture")
	if dir := os.Getenv("ROWKEY_SCREENSHOTS"); dir != "" {
		require.NoError(b.t, os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644))
	}
}

// quiet asserts that nothing went wrong, and that no request left the page.
func (b *tab) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	assert.Empty(b.t, b.messages)
	for _, r := range b.requests {
		if !strings.HasPrefix(r, b.url) && !strings.HasPrefix(r, "data:") && !strings.HasPrefix(r, "blob:") && r != "about:blank" {
			b.t.Errorf("a request left the page: %s", r)
		}
	}
}

// served is the address of the server of rowkey play.
func served(t *testing.T) string {
	l, err := serve.Listen("127.0.0.1:0")
	require.NoError(t, err)
	s := serve.Server(l, "")
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	return "http://" + l.Addr().String() + "/"
}

func link(t *testing.T, s play.State) string {
	out, err := play.Link(s)
	require.NoError(t, err)
	return out
}

// viewOf is what look answers of a design, as far as the page shows it as it is.
type viewOf struct {
	Notation string
	Key      struct{ Hex, Shell, Error string }
	Findings []struct{ Text, Try string }
	Fields   []struct{ Name, Kind, Sample string }

	Questions []struct {
		Error  string
		Count  int
		Exact  bool
		Ranges []struct{ Start, Stop string }
	}
}

func lookAt(t *testing.T, notation string, questions ...[]string) (v viewOf) {
	request, err := json.Marshal(map[string]any{"name": "orders", "notation": notation, "questions": questions})
	require.NoError(t, err)
	answer := play.Call("look", request)
	require.NoError(t, json.Unmarshal(answer, &v), "%s", answer)
	return v
}

// Of every design of the examples the page shows the bytes, the ranges and the findings that the
// functions give; a test of the command holds these to what it prints.
func TestPageShowsEveryDesign(t *testing.T) {
	b := newTab(t, served(t))
	b.open("")
	for i, d := range examples(t) {
		var conds [][]string
		if len(d.conds) > 0 {
			conds = [][]string{d.conds}
		}
		want := lookAt(t, d.notation, conds...)
		js[any](b, fmt.Sprintf(`(() => { const s = document.querySelector('header select'); s.value = 't %d'; s.onchange({ target: s }) })()`, i))
		b.until(`document.querySelector('.editor textarea').value === ` + quoted(d.notation) + ` && document.querySelector('code.hex')?.textContent === ` + quoted(want.Key.Hex) + ` && !document.querySelector('.stale')`)
		got := js[[][2]string](b, `[...document.querySelectorAll('.ranges tbody tr')].map(r => [r.cells[0].textContent, r.cells[1].textContent])`)
		if len(conds) > 0 {
			require.Empty(t, want.Questions[0].Error, d.notation)
			for k, r := range want.Questions[0].Ranges[:min(20, len(want.Questions[0].Ranges))] {
				stop := r.Stop
				if stop == "" {
					stop = "end of the table"
				}
				require.Equal(t, [2]string{r.Start, stop}, got[k], "%s", d.notation)
			}
		}
		shown := js[[]string](b, `[...document.querySelectorAll('.finding > p:first-child')].map(e => e.textContent)`)
		require.Len(t, shown, len(want.Findings), d.notation)
		for k, f := range want.Findings {
			assert.Contains(t, shown[k], f.Text)
		}
	}
	b.quiet()
}

// One person's way through the page.
func TestPageInUse(t *testing.T) {
	b := newTab(t, served(t))
	b.open("")
	hex := func(want string) {
		t.Helper()
		b.until(`document.querySelector('code.hex')?.textContent === ` + quoted(want))
	}
	hex("0c732d34325f7ffffe5e360ea63f0000000000000412")
	b.until(`document.querySelector('canvas')`)
	b.shot("one_light")
	b.run(chromedp.EmulateViewport(1280, 830))
	b.shotOf("readme", func(png *[]byte) chromedp.Action { return chromedp.CaptureScreenshot(png) }) // docs/play.png
	b.run(chromedp.EmulateViewport(1360, 1000))

	t.Log("a value is typed, key by key, and the input keeps its focus")
	b.run(chromedp.Focus(`input[aria-label=order]`))
	js[any](b, `document.activeElement.select()`)
	b.run(chromedp.KeyEvent("7"))
	hex("0c732d34325f7ffffe5e360ea63f0000000000000007")
	assert.Equal(t, "order", js[string](b, `document.activeElement.getAttribute('aria-label')`))

	t.Log("a wrong value is shown where it is, and mended")
	b.put(`input[aria-label=order]`, "seven")
	b.until(`document.querySelector('input[aria-label=order][aria-invalid=true]')`)
	b.sees("#app .say.bad", "order: expected a whole number")
	b.put(`input[aria-label=order]`, "7")
	b.until(`document.querySelector('input[aria-label=order][aria-invalid=false]')`)

	t.Log("a condition, by a click and by typing; a wrong one")
	b.click(".add", "+ order")
	b.until(`document.activeElement.id === 'c0-2' && document.activeElement.value === 'order=7'`)
	b.put("#c0-2", "order=x")
	b.until(`document.querySelector('.chip.wrong')`)
	b.put("#c0-2", "order=9")
	b.until(`!document.querySelector('.chip.wrong')`)
	b.sees(".card .big", "1 range")

	t.Log("a broken design keeps the view, says where, and is mended")
	b.put(".editor textarea", "[salt16(seler)][seller]['_'][max-ms(at)][order:8]")
	b.until(`document.querySelector('.editor mark')?.textContent === 'seler'`)
	b.until(`document.querySelector('.card.stale .cells')`)
	b.shot("error")
	b.click(".mends", "seler → seller")
	b.until(`!document.querySelector('.stale') && document.querySelector('.editor textarea').value.startsWith('[salt16(seller)]')`)

	t.Log("a hot design is mended by one click")
	b.put(".editor textarea", "[ms(at)][order:8]")
	b.click(".finding button", "Mend")
	b.until(`document.querySelector('.editor textarea').value.includes('salt')`)

	t.Log("two designs side by side")
	b.put(".editor textarea", "[salt16(seller)][seller]['_'][max-ms(at)][order:8]")
	b.click("button.dashed", "Compare")
	b.until(`document.querySelectorAll('.editor').length === 2`)
	js[any](b, `(() => { const e = document.querySelectorAll('.editor textarea')[1]; e.value = '[salt32(values(seller,order))][seller][\'_\'][max-ms(at)][order:8]'; e.dispatchEvent(new Event('input', { bubbles: true })) })()`)
	b.sees("#app .card", "has other bytes than")
	b.sees(".sides", "servers it can use")
	b.until(`document.querySelectorAll('canvas').length === 2`)
	b.shot("two_light")

	t.Log("a pasted key, of another rule of the salt; then the rule")
	b.click("button.x", "✕")
	b.put(".editor textarea", "[salt16(seller) javahash][seller]['_'][max-ms(at)][order:8]")
	js[any](b, `(() => { for (const e of document.querySelectorAll('.design .x')) if (document.querySelectorAll('.editor').length > 1) e.click() })()`)
	b.until(`document.querySelectorAll('.editor').length === 1`)
	b.put(".editor textarea", "[salt16(seller) javahash][seller]['_'][max-ms(at)][order:8]")
	b.put("textarea.paste", "0c732d34325f7ffffe77dda4124f0000000000000007")
	b.sees(".pasted", "not a key of")
	b.shot("paste")
	b.click(".sums", "[salt16(seller)]")
	b.sees(".pasted", "a key of")
	b.click(".pasted button", "Use these values")
	hex("0c732d34325f7ffffe77dda4124f0000000000000007")

	t.Log("shared and reopened")
	b.until(`location.hash.length > 20`)
	js[any](b, `new Promise(r => setTimeout(r, 900))`)
	hash := js[string](b, `location.hash`)
	s, err := play.OfLink(hash)
	require.NoError(t, err)
	assert.Equal(t, "0c732d34325f7ffffe77dda4124f0000000000000007", s.Keys)
	other := newTab(t, b.url)
	other.open(hash)
	other.until(`document.querySelector('textarea.paste').value === ` + quoted(s.Keys) + ` && document.querySelector('code.hex')?.textContent === ` + quoted(s.Keys))
	other.quiet()

	t.Log("keys with values: the layout is inferred")
	b.put("textarea.paste", inferRows(t))
	b.sees(".card code", "[salt16(seller)][seller]['_'][max-ms(at)][order:8]")
	b.sees(".card .soft", "Read out of 60 rows")

	t.Log("a CSV that is dropped")
	js[any](b, `(() => { const d = new DataTransfer(); d.items.add(new File([`+quoted(csvRows())+`], 'rows.csv')); dispatchEvent(new DragEvent('drop', { dataTransfer: d, cancelable: true })) })()`)
	b.sees(".settings", "rows.csv: 5,000 rows")

	t.Log("taken away")
	for _, x := range [][2]string{{"Go, generated", "package keys"}, {"Java", "import java."}, {"Notation", "[salt16(seller)]"}, {"SPLITS", "SPLITS =>"}, {"Scans", "STARTROW"}, {"Lindorm SQL", "CREATE TABLE"}, {"Go", "rowkey.New("}} {
		b.click(".tabs button", x[0])
		b.sees(".code pre", x[1])
	}

	t.Log("dark, and Chinese, and a phone")
	js[any](b, `document.querySelector('header button[title]').click()`)
	b.until(`document.documentElement.dataset.theme === 'dark'`)
	b.shot("one_dark")
	b.click("header button", "中文")
	b.sees("h2", "要查什么？")
	b.until(`document.documentElement.lang === 'zh-CN'`)
	b.shot("one_chinese_dark")
	b.run(emulation.SetDeviceMetricsOverride(390, 844, 2, true))
	assert.Equal(t, 390, js[int](b, `document.documentElement.scrollWidth`), "wider than a phone")
	b.shot("phone_dark")
	b.quiet()
}

// What a link or a person brings is text: no markup of it becomes part of the page.
func TestPageTakesTextOnly(t *testing.T) {
	b := newTab(t, served(t))
	const x = `<img src=x onerror=alert(1)><script>alert(2)</script>`
	b.open(link(t, play.State{Designs: [][]any{{x, x}, {x, "[seller]['_'][order:8]"}}, Values: map[string]string{"seller": x}, Questions: [][]string{{"seller=\"" + x + "\"", x}}, Keys: x, Rows: map[string]string{"seller": x}}))
	b.until(`document.querySelector('.pasted')`)
	b.sees(".chip", "")
	js[any](b, `new Promise(r => setTimeout(r, 500))`)
	assert.Zero(t, js[int](b, `document.querySelectorAll('#app img, #app script').length`))
	for _, hash := range []string{"#1AAAA", "#1" + strings.Repeat("A", 70_000), "#<script>alert(1)</script>", "#1%00", "#2abc", "#"} {
		b.open(hash)
		b.until(`document.querySelector('code.hex')`)
	}
	b.quiet()
}

// The page opens every link that was made, and writes one that holds the same.
func TestPageOpensLinks(t *testing.T) {
	data, err := os.ReadFile("testdata/links.txt")
	require.NoError(t, err)
	b := newTab(t, served(t))
	n := 0
	for line := range strings.Lines(string(data)) {
		fragment, want, _ := strings.Cut(strings.TrimSpace(line), " ")
		if fragment == "#" {
			continue
		}
		b.open(fragment)
		s, err := play.OfLink(fragment)
		require.NoError(t, err)
		for i, d := range s.Designs {
			b.until(fmt.Sprintf(`document.querySelectorAll('.editor textarea')[%d]?.value === %s`, i, quoted(d[1].(string))))
		}
		b.until(`location.hash.length > 1 && location.hash !== ` + quoted(fragment)) // written anew: another program packs it
		again, err := play.OfLink(js[string](b, `location.hash`))
		require.NoError(t, err)
		got, err := json.Marshal(again)
		require.NoError(t, err)
		assert.JSONEq(t, want, string(got))
		n++
	}
	assert.GreaterOrEqual(t, n, 4)

	t.Log("what is too long for a link is a file, which opens where it is dropped")
	b.open("")
	js[any](b, `(() => { const e = document.querySelector('textarea.paste'); e.value = Array.from(crypto.getRandomValues(new Uint8Array(60000)), c => String.fromCharCode(33 + c % 90)).join(''); e.dispatchEvent(new Event('input')) })()`)
	js[any](b, `(() => { const e = document.querySelector('input[aria-label=seller]'); e.value = Array.from(crypto.getRandomValues(new Uint8Array(4000)), c => String.fromCharCode(33 + c % 90)).join(''); e.dispatchEvent(new Event('input')) })()`)
	b.click("header button", "Copy link")
	b.sees(".toast", "too long for a link")
	js[any](b, `(() => { const d = new DataTransfer(); d.items.add(new File(['{"rowkey":1,"d":[["x","[id:4]"]]}'], 'rowkey-design.json')); dispatchEvent(new DragEvent('drop', { dataTransfer: d, cancelable: true })) })()`)
	b.until(`document.querySelector('.editor textarea').value === '[id:4]'`)
	b.quiet()
}

// A design of three, in a picture for those who look; a design in other words; the empty page.
func TestPageStates(t *testing.T) {
	b := newTab(t, served(t))
	b.open("")
	js[any](b, `(() => { const s = document.querySelector('header select'); s.value = 'o 0'; s.onchange({ target: s }) })()`)
	b.until(`document.querySelectorAll('canvas').length === 3`)
	b.shot("three_light")
	b.run(emulation.SetDeviceMetricsOverride(390, 844, 2, true))
	b.until(`document.documentElement.scrollWidth === 390`)
	b.shot("three_phone")
	b.run(chromedp.EmulateViewport(1360, 1000))
	js[any](b, `(() => { const s = document.querySelector('header select'); s.value = 'o 1'; s.onchange({ target: s }) })()`)
	b.sees(".open", "what uid is")
	b.shot("draft")
	b.click(".choice", "microseconds")
	b.sees(".say code", "max-us(ts)")
	b.put(".editor textarea", "")
	b.sees(".say", "Paste a layout")
	b.shot("empty")
	b.click(".say .choice", "orders by buyer")
	b.until(`document.querySelector('code.hex')`)
	b.quiet()
}

// wait lets the page write its link, and whatever else it does after a while.
func (b *tab) wait() { js[any](b, `new Promise(r => setTimeout(r, 900))`) }

func (b *tab) example(value string) {
	js[any](b, `(() => { const s = document.querySelector('header select'); s.value = `+quoted(value)+`; s.onchange({ target: s }) })()`)
}

// A link that holds nothing is said to, and stays where it is.
func TestPageSaysThatALinkIsCut(t *testing.T) {
	b := newTab(t, served(t))
	whole := link(t, play.State{Designs: [][]any{{"orders", orders}}, Keys: "0c"})
	for hash, want := range map[string]string{whole[:len(whole)-9]: "cut off or changed", "#2abc": "of another version"} {
		b.open(hash)
		b.sees("#app .say.bad", want)
		b.wait()
		assert.Equal(t, hash, js[string](b, `location.hash`))
		b.put(`input[aria-label=order]`, "7")
		b.until(`location.hash !== ` + quoted(hash) + ` && !document.querySelector('#app main > .say.bad')`)
		js[any](b, `location.hash = `+quoted(hash))
		b.sees("#app .say.bad", want)
	}
	b.open("")
	b.wait()
	assert.Empty(t, b.text("#app main > .say.bad"))
	b.quiet()
}

// What an example or a mend replaces comes back by going back.
func TestPageGoesBack(t *testing.T) {
	b := newTab(t, served(t))
	b.open("")
	const typed, broken = "[seller]['_'][order:8]", "[salt16(seler)][seller]['_'][order:8]"
	is := func(text string) { b.until(`document.querySelector('.editor textarea').value === ` + quoted(text)) }
	b.put(".editor textarea", typed)
	b.put("textarea.paste", "0c0d")
	b.example("t 1")
	b.until(`document.querySelector('textarea.paste')?.value === ''`)
	b.wait()
	js[any](b, `history.back()`)
	is(typed)
	b.until(`document.querySelector('textarea.paste')?.value === '0c0d'`)
	b.put(".editor textarea", broken)
	b.wait()
	b.click(".mends", "seler → seller")
	is(strings.Replace(broken, "seler", "seller", 1))
	b.wait()
	js[any](b, `history.back()`)
	is(broken)
	b.quiet()
}

// A link holds the value of each field, and each answer.
func TestPageLinksAllThatADesignHas(t *testing.T) {
	b := newTab(t, served(t))
	var wide, design []string
	values := map[string]string{}
	for i := range 100 {
		name := fmt.Sprintf("f%d", i)
		wide, values[name] = append(wide, "["+name+":1]"), fmt.Sprint(i+1)
	}
	var open struct {
		Draft struct {
			Open []struct{ Choices []struct{ Notation string } }
		}
	}
	for i := range 40 {
		design = append(design, fmt.Sprintf("f%d_id", i))
	}
	words := strings.Join(design, "+")
	require.NoError(t, json.Unmarshal(play.Call("look", []byte(`{"notation":`+quoted(words)+`}`)), &open))
	require.Greater(t, len(open.Draft.Open), 64)
	answers := make([]any, len(open.Draft.Open))
	for i := range answers {
		answers[i] = "\x00"
	}
	answers[60] = strings.Repeat("x", 300)
	s := play.State{Designs: [][]any{{"wide", strings.Join(wide, "")}, {"words", words, answers}}, Values: values}
	b.open(link(t, s))
	b.until(`document.querySelector('input[aria-label=f99]')?.value === '100'`)
	b.wait()
	again, err := play.OfLink(js[string](b, `location.hash`))
	require.NoError(t, err)
	assert.Equal(t, s, again)
	b.quiet()
}

// A field may have the name of what every object of JavaScript has.
func TestPageOfAFieldCalledConstructor(t *testing.T) {
	b := newTab(t, served(t))
	b.open(link(t, play.State{Designs: [][]any{{"races", "[constructor]['_'][toString:4]"}}}))
	b.until(`document.querySelector('input[aria-label=constructor]')?.value === 'c-42'`)
	b.until(`document.querySelector('input[aria-label="Values of constructor"]').value.startsWith('c')`)
	b.put(`input[aria-label=constructor]`, "x")
	b.put(`input[aria-label=toString]`, "7")
	b.until(`document.querySelector('code.hex')?.textContent === '785f00000007'`)
	b.quiet()
}

// A condition that a button adds asks for the value that is shown.
func TestPageAsksForTheValue(t *testing.T) {
	b := newTab(t, served(t))
	b.open(link(t, play.State{Designs: [][]any{{"orders", "[seller]['_'][order:8]"}}, Questions: [][]string{{}}}))
	for i, value := range []string{"=b", "~b", "a=b", `a"b`} {
		b.put(`input[aria-label=seller]`, value)
		b.click(".add", "+ seller")
		id := fmt.Sprintf("c0-%d", i)
		b.until(`document.getElementById('` + id + `')`)
		cond := js[string](b, `document.getElementById('`+id+`').value`)
		s := rowkey.Must(rowkey.Parse("orders", "[seller]['_'][order:8]"))
		key, err := s.Key().String(value).Uint(7).Bytes()
		require.NoError(t, err)
		v := lookAt(t, s.String(), []string{cond})
		require.Equal(t, 1, v.Questions[0].Count, "%s %s", cond, v.Questions[0].Error)
		got := hex.EncodeToString(key)
		assert.True(t, v.Questions[0].Ranges[0].Start <= got && got < v.Questions[0].Ranges[0].Stop, cond)
	}
	b.quiet()
}

// A picture of the writes is drawn again where it was taken away, and of each file that is dropped.
func TestPageSimulatesAgain(t *testing.T) {
	b := newTab(t, served(t))
	b.open("")
	for range 2 {
		b.example("t 1")
		b.until(`!document.querySelector('.writes canvas, canvas')`)
		b.until(`document.querySelector('canvas')`)
		b.wait()
	}
	b.example("t 0")
	drop := func(rows string) {
		js[any](b, `(() => { const d = new DataTransfer(); d.items.add(new File([`+quoted(rows)+`], 'rows.csv')); dispatchEvent(new DragEvent('drop', { dataTransfer: d, cancelable: true })) })()`)
	}
	const rows = "seller,buyer,at,order\ns-1,b,2026-11-11,x\ns-2,b,2026-11-11,7\n"
	drop(rows)
	b.sees("#app .bad", "1 rows are refused")
	drop(strings.Replace(rows, ",x", ",8", 1))
	b.sees(".settings", "rows.csv: 2 rows")
	b.until(`![...document.querySelectorAll('#app .bad')].some(e => e.textContent.includes('refused'))`)
	b.quiet()
}

// Of rows that are more than the page takes, the last is not cut.
func TestPageTakesWholeLinesOfAPaste(t *testing.T) {
	b := newTab(t, served(t))
	b.open("")
	rows := "\n" + inferRows(t)
	header, body, _ := strings.Cut(rows[1:], "\n")
	b.put("textarea.paste", rows) // a blank line first
	b.sees(".card .soft", "Read out of 60 rows")
	b.put("textarea.paste", header+"\n"+strings.Repeat(body, 50))
	b.sees(".toast", "This is too long")
	b.until(`document.querySelector('textarea.paste').value.length <= 60000 && document.querySelector('textarea.paste').value.endsWith('\n')`)
	b.until(`/Read out of [0-9]{3}/.test(document.querySelector('.foot').textContent)`)
	b.quiet()
}

// What a browser cuts of a paste, as its inputs have a longest text, is told.
func TestPageSaysWhatABrowserCuts(t *testing.T) {
	b := newTab(t, served(t))
	b.open("")
	command := func(name string) { b.run(input.DispatchKeyEvent(input.KeyRawDown).WithCommands([]string{name})) }
	paste := func(selector, text string) {
		b.put("textarea.paste", text)
		for _, name := range []string{"selectAll", "copy"} {
			command(name)
		}
		js[any](b, `(() => { const e = document.querySelector(`+quoted(selector)+`); e.focus(); e.select() })()`)
		command("paste")
	}
	const editor, length = "textarea:not(.paste)", `document.querySelector('textarea:not(.paste)').value.length`
	paste(editor, strings.Repeat("a\n", 4000))
	b.until(length + ` === 8000`)
	b.wait()
	assert.Empty(t, b.text(".toast"), "all of it has room")
	paste(editor, strings.Repeat("a\n", 4001))
	b.sees(".toast", "the first 8,000 of 8,002 characters are taken")
	b.until(length + ` === 8000`)
	paste("input.name", "a\n"+strings.Repeat("b", 60))
	b.sees(".toast", "the first 60 of 61 characters are taken")
	b.until(`document.querySelector('input.name').value.length === 60`)
	b.quiet()
}

// An answer that comes late counts if what it was asked of is still there.
func TestPageKeepsALateAnswer(t *testing.T) {
	b := newTab(t, served(t))
	b.open("")
	b.wait()
	js[any](b, `(() => { const real = fetch; window.fetch = async (...a) => { if (String(a[0]).endsWith('take')) await new Promise(r => setTimeout(r, 600)); return real(...a) } })()`)
	b.click(".tabs button", "Java")
	b.put("textarea.paste", "0c732d34325f7ffffe77dda4124f0000000000000007")
	b.sees(".code pre", "class OrdersKey")
	b.quiet()
}

// axe-core finds nothing to say of the page's states. It comes from npm, by testdata/axe/package.json.
func TestPageIsAccessible(t *testing.T) {
	browser.Path(t)
	dir := t.TempDir()
	data, err := os.ReadFile("testdata/axe/package.json")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), data, 0o644))
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("no npm on this machine, from which axe-core comes")
	}
	c := exec.Command("npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts")
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		if os.Getenv("ROWKEY_BROWSER") == "required" {
			t.Fatalf("axe-core cannot be got: %v\n%s", err, out)
		}
		t.Skipf("axe-core cannot be got: %v", err)
	}
	axe, err := os.ReadFile(filepath.Join(dir, "node_modules/axe-core/axe.min.js"))
	require.NoError(t, err)
	b := newTab(t, served(t))
	check := func(what string) {
		t.Helper()
		js[any](b, string(axe)+";0")
		found := js[[]string](b, `axe.run(document, { resultTypes: ['violations'] }).then(r => r.violations.map(v => v.id + ': ' + v.help + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + ' ' + (n.any[0]?.message || '')).join(' | ')))`)
		assert.Empty(t, found, what)
	}
	themes := func(what string) {
		t.Helper()
		for range 2 {
			check(what + js[string](b, `', ' + document.documentElement.dataset.theme`))
			js[any](b, `document.querySelector('header button[title]').click()`)
		}
	}
	b.open("")
	b.until(`document.querySelector('canvas')`)
	js[any](b, `document.querySelectorAll('details').forEach(d => d.open = true)`)
	themes("one design")
	js[any](b, `(() => { const s = document.querySelector('header select'); s.value = 'o 0'; s.onchange({ target: s }) })()`)
	b.until(`document.querySelectorAll('canvas').length === 3`)
	themes("three designs")
	js[any](b, `(() => { const s = document.querySelector('header select'); s.value = 'o 1'; s.onchange({ target: s }) })()`)
	b.until(`document.querySelector('.open')`)
	b.put("textarea.paste", "0c732d34325f7ffffe77dda4124f0000000000000007")
	b.until(`document.querySelector('.pasted')`)
	themes("a draft, and a key")
	b.put(".editor textarea", "[salt16(seler)][seller]['_'][max-ms(at)][order:8]")
	b.until(`document.querySelector('.editor mark')`)
	themes("a broken design")
	b.click("header button", "中文")
	b.sees("h2", "要查什么？")
	b.run(emulation.SetDeviceMetricsOverride(390, 844, 2, true))
	themes("Chinese, a phone")
	b.quiet()
}

// The static site: the same page, and the same functions as WebAssembly. It works without a network
// once it is loaded.
func TestSite(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program for browsers")
	}
	browser.Path(t)
	dir := t.TempDir()
	c := exec.Command("go", "run", "./site", dir)
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Logf("%s", out)
	firstView(t, dir)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &http.Server{Handler: http.FileServer(http.Dir(dir))}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	b := newTab(t, "http://"+l.Addr().String()+"/")
	b.open("")
	b.until(`document.querySelector('code.hex')?.textContent === '0c732d34325f7ffffe5e360ea63f0000000000000412'`)
	b.until(`document.querySelector('canvas')`)

	t.Log("a program that ends is started again")
	js[any](b, `(() => { const p = Worker.prototype, real = p.postMessage; p.postMessage = function () { p.postMessage = real; real.call(this, { module: 'none' }) } })()`)
	b.put(`input[aria-label=order]`, "5")
	b.sees("#app .say.bad", "The Go code does not answer")
	b.put(`input[aria-label=order]`, "6")
	b.until(`document.querySelector('code.hex')?.textContent === '0c732d34325f7ffffe5e360ea63f0000000000000006' && !document.querySelector('main > .say.bad')`)

	b.run(network.EmulateNetworkConditions(true, 0, 0, 0))
	require.NoError(t, s.Close()) // and nobody would answer
	b.put(`input[aria-label=order]`, "7")
	b.until(`document.querySelector('code.hex')?.textContent === '0c732d34325f7ffffe5e360ea63f0000000000000007'`)
	for range 40 { // each a keystroke: Go answers, and the page is drawn
		b.run(chromedp.KeyEvent("1"), chromedp.KeyEvent("\b"))
	}
	took := js[float64](b, `(async () => {
		const input = document.querySelector('input[aria-label=seller]'), all = []
		for (let i = 0; i < 30; i++) {
			const before = document.querySelector('code.hex').textContent, began = performance.now()
			input.value = 's-' + i; input.dispatchEvent(new Event('input', { bubbles: true }))
			while (document.querySelector('code.hex').textContent === before) await new Promise(r => { const c = new MessageChannel(); c.port1.onmessage = r; c.port2.postMessage(0) })
			all.push(performance.now() - began)
		}
		return all.sort((a, b) => a - b)[15]
	})()`)
	t.Logf("a keystroke is answered and drawn in %.1f ms (median of 30)", took)
	took = js[float64](b, `(async () => {
		const { ask } = await import('./ask.js'), all = []
		for (let i = 0; i < 5; i++) {
			const began = performance.now(), notation = "[salt16(seller)][seller]['_'][max-ms(at)][order:8]"
			const answer = await ask('simulate', { designs: [{ name: 'orders', notation }], rows: {}, count: 20000 + i, servers: 8, csv: '' })
			if (answer.rows !== 20000 + i) throw new Error(JSON.stringify(answer).slice(0, 200))
			all.push(performance.now() - began)
		}
		return all.sort((a, b) => a - b)[2]
	})()`)
	t.Logf("20,000 rows are simulated in %.0f ms (median of 5)", took)
	b.put("textarea.paste", "0c732d34325f7ffffe77dda4124f0000000000000007")
	b.sees(".pasted", "a key of")
	b.quiet()
}

// firstView holds what the first view loads to 2 MB as brotli packs it. Go has no brotli; node has.
func firstView(t *testing.T, dir string) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Log("no node: what brotli makes of the files is not measured")
		return
	}
	const program = `const fs = require('fs'), zlib = require('zlib'); let n = 0; for (const f of fs.readdirSync('.')) if (f !== 'later.wasm') n += zlib.brotliCompressSync(fs.readFileSync(f)).length; console.log(n)`
	c := exec.Command(node, "-e", program)
	c.Dir = dir
	out, err := c.Output()
	require.NoError(t, err)
	n := 0
	_, err = fmt.Sscan(string(out), &n)
	require.NoError(t, err)
	t.Logf("the first view: %d bytes by brotli", n)
	assert.LessOrEqual(t, n, 2_000_000)
}
