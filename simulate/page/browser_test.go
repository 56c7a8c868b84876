package page

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/browser"
	"github.com/hbase-rowkey/rowkey/simulate"
	"github.com/hbase-rowkey/rowkey/simulate/internal/say"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// chromium runs the browser on a file.
func chromium(t *testing.T, file string, args ...string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run", "--user-data-dir=" + t.TempDir()}, args...)
	c := exec.CommandContext(ctx, browser.Path(t), append(args, "file://"+file)...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	require.NoError(t, c.Run(), "%s", &errs)
	return out.String()
}

// threeDesigns are those of the pages: rising keys, a hot seller, even writes.
func threeDesigns(t *testing.T) *simulate.Report {
	designs := []simulate.Design{designOf("time", "[ms(at)][order:8]"), designOf("seller", "[salt32(seller)][seller]['_'][max-ms(at)][order:8]"),
		designOf("order", "[salt32(values(seller,order))][seller]['_'][max-ms(at)][order:8]")}
	questions := []simulate.Question{{Name: "seller", Text: "seller=s-42", Conds: []rowkey.Cond{rowkey.Eq("seller", "s-42")}, Needs: []string{"seller"}}}
	const n = 60_000
	row := func(i int) order {
		o := order{fmt.Sprint("s-", i*7919%5000), day.Add(time.Duration(i) * time.Second), uint64(i)}
		if i > n/2 && i < n/2+n/10 && i%2 == 0 {
			o.seller = "s-7"
		}
		return o
	}
	s, err := simulate.New(designs, questions, simulate.Options{Seen: n, Rows: 2e9})
	require.NoError(t, err)
	fill(t, s, designs, n, row)
	r := s.Report()
	others := r.Try()
	tried, err := simulate.New(others, questions, simulate.Options{Seen: n, Rows: 2e9})
	require.NoError(t, err)
	fill(t, tried, others, n, row)
	r.Rank(tried.Report())
	return r
}

// A page needs no network, is at most 300 KB whatever it shows, and holds all text
// escaped.
func TestHTML(t *testing.T) {
	page, err := HTML(threeDesigns(t))
	require.NoError(t, err)
	t.Logf("%d bytes", len(page))
	outside := strings.ReplaceAll(page, "http://www.w3.org/2000/svg", "")
	assert.NotContains(t, outside, "http")
	assert.NotContains(t, outside, "url(")
	assert.NotRegexp(t, `<(link|iframe|object|embed|script src)`, outside)

	var many []simulate.Design
	for i := range 12 {
		many = append(many, designOf(fmt.Sprintf("<b>%d</b>", i), "[salt256(seller)][seller]['_'][max-ms(at)][order:8]"))
	}
	s, err := simulate.New(many, nil, simulate.Options{Regions: 256})
	require.NoError(t, err)
	fill(t, s, many, 20_000, func(i int) order {
		return order{fmt.Sprint("</script>", i%50), day.Add(time.Duration(i) * time.Second), uint64(i)}
	})
	page, err = HTML(s.Report())
	require.NoError(t, err)
	assert.LessOrEqual(t, len(page), 300_000)
	assert.NotContains(t, page, "<b>0</b>")
	assert.Equal(t, 1, strings.Count(page, "</script>"))
}

// In a browser the page says of a cell what the report does: under the pointer, at a
// tap and by arrow keys; and it fits a phone.
func TestPageInBrowser(t *testing.T) {
	path := browser.Path(t)
	t.Log(path)
	r := threeDesigns(t)
	page, err := HTML(r)
	require.NoError(t, err)
	g := r.Designs[1].Grid(64)
	line, window := 0, 0
	for l := range g.Lines {
		for w, c := range g.Lines[l].Cells {
			if c.Share > g.Lines[line].Cells[window].Share {
				line, window = l, w
			}
		}
	}
	worst := g.Lines[line].Cells[window]
	probe := fmt.Sprintf(`<script>
const out={},map=document.getElementById('d1'),over=map.querySelector('.over'),tip2=document.getElementById('tip');
const b=()=>over.getBoundingClientRect(),x=()=>b().left+(%d+.5)/%d*b().width,y=()=>b().top+(%d+.5)/%d*b().height;
const send=(type,kind)=>{map.scrollIntoView({block:'center'});const t=document.elementFromPoint(x(),y());out.target=t&&t.getAttribute('class');(t||over).dispatchEvent(new PointerEvent(type,{bubbles:true,clientX:x(),clientY:y(),pointerType:kind}))};
const tip1=()=>getComputedStyle(tip2).visibility=='visible'?tip2.innerText:'hidden';
send('pointermove','mouse');out.hover=tip1();
over.dispatchEvent(new PointerEvent('pointerleave',{bubbles:true}));out.left=tip1();
send('click','touch');out.tap=tip1();document.body.click();out.away=tip1();
map.focus();for(const k of ['ArrowRight','ArrowDown'])map.dispatchEvent(new KeyboardEvent('keydown',{key:k,bubbles:true}));out.keys=tip1();
document.dispatchEvent(new KeyboardEvent('keydown',{key:'Escape'}));out.escape=tip1();
out.wide=document.documentElement.scrollWidth;out.high=document.documentElement.scrollHeight;out.inner=innerWidth;
out.small=[...document.querySelectorAll('text')].filter(t=>t.getBoundingClientRect().right>innerWidth+1).length;
out.bg=getComputedStyle(document.body).backgroundColor;
parent.document.title=JSON.stringify(out);
const pre=parent.document.createElement('pre');pre.id='result';pre.textContent=JSON.stringify(out);parent.document.body.append(pre);
</script></body>`, window, len(g.Windows), line, len(g.Lines))
	probed := strings.Replace(page, "</body>", probe, 1)
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	require.NoError(t, os.WriteFile(file, []byte(probed), 0o644))
	result := regexp.MustCompile(`<pre id="result">(.*?)</pre>`)
	look := func(file string, args ...string) map[string]any {
		dom := chromium(t, file, append(args, "--dump-dom", "--virtual-time-budget=3000")...)
		m := result.FindStringSubmatch(dom)
		require.NotNil(t, m, "the page's script failed")
		var out map[string]any
		require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(m[1])), &out))
		return out
	}
	out := look(file, "--window-size=1400,1000")
	want := say.Percent(worst.Share) + " of the writes"
	assert.Equal(t, "over", out["target"], "nothing lies over the picture")
	assert.Contains(t, out["hover"], want)
	assert.Contains(t, out["hover"], fmt.Sprintf("%s, at least %d %% of these rows", worst.Hot, int(100*worst.HotIs)), "as much as the words beside the picture have it")
	assert.Greater(t, worst.HotIs, 0.8)
	assert.Contains(t, out["tap"], want)
	for _, when := range []string{"left", "away", "escape"} {
		assert.Equal(t, "hidden", out[when], when)
	}
	assert.NotEqual(t, "hidden", out["keys"])
	assert.NotEqual(t, out["hover"], out["keys"])
	assert.Equal(t, out["inner"], out["wide"], "no scrolling to the side")
	assert.EqualValues(t, 0, out["small"])

	phone := filepath.Join(dir, "phone.html")
	require.NoError(t, os.WriteFile(phone, []byte(`<!doctype html><body style="margin:0"><iframe width="390" height="800" style="border:0" srcdoc="`+html.EscapeString(probed)+`"></iframe></body>`), 0o644))
	out = look(phone, "--window-size=1000,1000")
	assert.EqualValues(t, 390, out["inner"])
	assert.EqualValues(t, 390, out["wide"], "a phone scrolls only down")
	assert.Contains(t, out["tap"], want)

	high, _ := out["high"].(float64)
	t.Logf("a phone scrolls %.0f pixels", high)
	assert.Less(t, high, 5000.0)

	dark := look(file, "--window-size=1400,1000", "--blink-settings=preferredColorScheme=0")
	assert.Equal(t, "rgb(19, 20, 24)", dark["bg"])

	shot := filepath.Join(dir, "page.png")
	clean := filepath.Join(dir, "clean.html")
	require.NoError(t, os.WriteFile(clean, []byte(page), 0o644))
	chromium(t, clean, "--window-size=1400,1000", "--screenshot="+shot)
	assert.Greater(t, colours(t, shot), 100, "the page is drawn")
	if keep := os.Getenv("ROWKEY_SCREENSHOTS"); keep != "" {
		for name, args := range map[string][]string{"light.png": {"--window-size=1400,1900"}, "dark.png": {"--window-size=1400,1900", "--blink-settings=preferredColorScheme=0"}, "narrow.png": {"--window-size=1000,2600"}} {
			chromium(t, clean, append(args, "--screenshot="+filepath.Join(keep, name))...)
		}
		tall := filepath.Join(dir, "tall.html")
		require.NoError(t, os.WriteFile(tall, []byte(`<!doctype html><body style="margin:0"><iframe width="390" height="4600" style="border:0" srcdoc="`+html.EscapeString(page)+`"></iframe></body>`), 0o644))
		chromium(t, tall, "--window-size=390,4600", "--screenshot="+filepath.Join(keep, "phone.png"), "--virtual-time-budget=3000")
		chromium(t, clean, "--print-to-pdf="+filepath.Join(keep, "print.pdf"), "--no-pdf-header-footer")
	}
}

// The picture for a wiki is drawn as an image is, without scripts and without a network.
func TestSVGInBrowser(t *testing.T) {
	browser.Path(t)
	r := threeDesigns(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "picture.svg"), []byte(SVG(r)), 0o644))
	file := filepath.Join(dir, "wiki.html")
	require.NoError(t, os.WriteFile(file, []byte(`<!doctype html><body style="margin:0"><img src="picture.svg" width="1400"></body>`), 0o644))
	shot := filepath.Join(dir, "picture.png")
	chromium(t, file, "--window-size=1400,500", "--screenshot="+shot)
	assert.Greater(t, colours(t, shot), 60)
}

// colours counts those of a picture.
func colours(t *testing.T, file string) int {
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	var m image.Image
	m, err = png.Decode(f)
	require.NoError(t, err)
	met := map[color.Color]bool{}
	for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
		for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
			met[m.At(x, y)] = true
		}
	}
	return len(met)
}

// The axis names round times, about four, none at its end.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		from time.Time
		span time.Duration
		want string
	}{
		{day, 24 * time.Hour, "00:00 06:00 12:00 18:00"},
		{day.Add(7 * time.Minute), 24 * time.Hour, "00:00 06:00 12:00 18:00"},
		{day, 10 * time.Hour, "00:00 03:00 06:00"},
		{day, 10 * time.Minute, "00:00:00 00:05:00"},
		{day, 20 * 24 * time.Hour, "Nov 12 Nov 19 Nov 26"},
		{day, 365 * 24 * time.Hour, "Oct 22 Jan 14 May 6 Jul 29"},
	} {
		const n = 40_000
		designs := []simulate.Design{designOf("d", "[order:8]")}
		s, err := simulate.New(designs, nil, simulate.Options{Seen: n})
		require.NoError(t, err)
		fill(t, s, designs, n, func(i int) order {
			return order{at: c.from.Add(time.Duration(i) * (c.span / n)), number: uint64(i)}
		})
		r := s.Report()
		var got []string
		for _, tick := range ticks(r, r.Designs[0].Grid(1), 4) {
			got = append(got, tick.text)
			assert.True(t, tick.at >= 0 && tick.at < 0.9, "%+v", tick)
		}
		assert.Equal(t, c.want, strings.Join(got, " "))
	}
}

var day = time.Date(2026, 11, 11, 0, 0, 0, 0, time.UTC)

// order is a row of the tests.
type order struct {
	seller string
	at     time.Time
	number uint64
}

func designOf(name, notation string) simulate.Design {
	return simulate.Design{Name: name, Schema: rowkey.Must(rowkey.Parse("t", notation))}
}

// fill gives rows to a simulation.
func fill(t testing.TB, s *simulate.Simulation, designs []simulate.Design, n int, row func(i int) order) {
	b := s.Batch()
	for i := range n {
		o := row(i)
		b.Row(o.at)
		for j, d := range designs {
			var args []any
			var values []simulate.Value
			for f := range d.Schema.Fields() {
				switch f.Name {
				case "seller":
					args, values = append(args, o.seller), append(values, simulate.Bytes([]byte(o.seller)))
				case "at":
					args, values = append(args, o.at), append(values, simulate.Moment())
				case "order":
					args, values = append(args, o.number), append(values, simulate.Number(o.number))
				}
			}
			key, err := d.Schema.AppendKey(nil, args...)
			b.Key(j, key, err, values...)
		}
		if b.Len() == 500 || i == n-1 {
			require.NoError(t, s.Add(t.Context(), b))
			b.Reset()
		}
	}
}
