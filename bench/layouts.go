package bench

import (
	"fmt"
	"strconv"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// The layouts of tables as people have them, each with a floor of its own in
// layouts_floor.go: written field by field and from a struct, read field by
// field and into a struct.

// A design is one such layout. R is its row, V what is read of a key field by
// field: the same, but texts are bytes in a buffer.
type design[R, V any] struct {
	name   string
	what   string // its notation
	schema *rowkey.Schema
	row    func(i int) R
	key    func(dst []byte, r *R) ([]byte, error)
	read   func(key []byte, v *V) error

	// by hand
	floorKey    func(dst []byte, r *R) ([]byte, error)
	floorRead   func(key []byte, v *V) error
	floorDecode func(key []byte, r *R) error

	texts int // strings of a row, which a decoded one has in new memory
	// the goals, where they are not those of all
	keyGoal, codecGoal, readGoal float64
}

// The goals of every layout that has none of its own.
const (
	keyGoal    = 1.6
	codecGoal  = 1.6
	readGoal   = 2
	decodeMore = 0.5 // of Codec.Decode, above the goal of reading
)

// Ways are what is timed of each layout.
var Ways = []string{"field by field", "from a struct", "read field by field", "read into a struct"}

func (t design[R, V]) jobs() []Job {
	goal := func(own, all float64) float64 {
		if own > 0 {
			return own
		}
		return all
	}
	codec := rowkey.Must(rowkey.Bind[R](t.schema))
	reads := goal(t.readGoal, readGoal)
	job := func(way, what string, goal float64, allocs int, pair func(rows []R, keys [][]byte) Pair) Job {
		return Job{Name: "layout/" + t.name + "/" + way, Table: t.what, What: what, Goal: goal, Allocs: allocs, New: func() Pair {
			rows := make([]R, lot)
			keys := make([][]byte, lot)
			for i := range rows {
				rows[i] = t.row(i)
				key, err := t.floorKey(nil, &rows[i])
				if err != nil {
					panic(err)
				}
				keys[i] = key
			}
			return pair(rows, keys)
		}}
	}
	write := func(key func([]byte, *R) ([]byte, error)) func([]R, [][]byte) Pair {
		return func(rows []R, _ [][]byte) Pair {
			return Pair{eachRow(rows, key), eachRow(rows, t.floorKey), func() error {
				for i := range rows {
					a, err := key(nil, &rows[i])
					if err != nil {
						return err
					}
					if b, _ := t.floorKey(nil, &rows[i]); string(a) != string(b) {
						return fmt.Errorf("row %d: key %x, and by hand %x", i, a, b)
					}
				}
				return nil
			}}
		}
	}
	decode := codec.Decode
	return []Job{
		job("fluent", Ways[0], goal(t.keyGoal, keyGoal), 0, write(t.key)),
		job("codec", Ways[1], goal(t.codecGoal, codecGoal), 0, write(codec.Append)),
		job("read", Ways[2], reads, 1, func(_ []R, keys [][]byte) Pair {
			return Pair{eachKey(keys, t.read), eachKey(keys, t.floorRead), func() error { return sameValues(keys, t.read, t.floorRead) }}
		}),
		job("decode", Ways[3], reads+decodeMore, 3*t.texts, func(rows []R, keys [][]byte) Pair {
			return Pair{eachKey(keys, decode), eachKey(keys, t.floorDecode), func() error {
				for i, key := range keys {
					var r R
					if err := decode(key, &r); err != nil {
						return err
					}
					if a, b := fmt.Sprint(r), fmt.Sprint(rows[i]); a != b {
						return fmt.Errorf("row %d: %s comes back as %s", i, b, a)
					}
				}
				return sameValues(keys, decode, t.floorDecode)
			}}
		}),
	}
}

// eachRow makes the keys of the rows one after the other, in one buffer.
func eachRow[R any](rows []R, key func([]byte, *R) ([]byte, error)) func(n int) error {
	buf := make([]byte, 0, 512)
	return func(n int) error {
		for i := range n {
			k, err := key(buf, &rows[i%lot])
			if err != nil {
				return err
			}
			if len(k) == 0 {
				return errEmpty
			}
		}
		return nil
	}
}

// eachKey reads the keys one after the other.
func eachKey[V any](keys [][]byte, read func([]byte, *V) error) func(n int) error {
	v := new(V)
	return func(n int) error {
		for i := range n {
			if err := read(keys[i%lot], v); err != nil {
				return err
			}
		}
		return nil
	}
}

// sameValues reports where two ways of reading give different values, or take a
// key that is cut short.
func sameValues[V any](keys [][]byte, a, b func([]byte, *V) error) error {
	for i, key := range keys {
		var x, y V
		if err := a(key, &x); err != nil {
			return err
		}
		if err := b(key, &y); err != nil {
			return err
		}
		if x, y := fmt.Sprintf("%+v", x), fmt.Sprintf("%+v", y); x != y {
			return fmt.Errorf("key %d reads as %s, and by hand as %s", i, x, y)
		}
		if short := key[:10:10]; a(short, &x) == nil || b(short, &y) == nil {
			return fmt.Errorf("key %d is taken for one of 10 bytes", i)
		}
	}
	return nil
}

var began = time.Unix(1684203630, 0).UTC()

func layoutJobs() []Job {
	var jobs []Job
	for _, more := range [][]Job{
		telemetry.jobs(), idsOnly.jobs(), days.jobs(), phones.jobs(), tenants.jobs(), escaped.jobs(), texts.jobs(),
		quotes.jobs(), files.jobs(), orders.jobs(), javas.jobs(), hosts.jobs(),
	} {
		jobs = append(jobs, more...)
	}
	return jobs
}

type telemetryRow struct {
	Device string    `rowkey:"device"`
	Metric uint16    `rowkey:"metric"`
	At     time.Time `rowkey:"at"`
}

type telemetryValues struct {
	device []byte
	metric uint64
	at     time.Time
}

var telemetrySchema = rowkey.New("telemetry").
	Salt(64, "device").
	String("device", rowkey.Fixed(16)).
	Uint("metric", 2).
	Time("at", rowkey.Seconds, rowkey.Width(4), rowkey.Desc).
	MustBuild()

var telemetry = design[telemetryRow, telemetryValues]{
	name: "telemetry", what: "[salt64(device)][device fixed(16)][metric:2][s(at) width(4) desc]", schema: telemetrySchema, texts: 1, codecGoal: 1.8,
	row: func(i int) telemetryRow {
		return telemetryRow{fmt.Sprintf("device-%09d", i*7919%1000), uint16(i % 300), began.Add(time.Duration(i) * time.Second)}
	},
	key: func(dst []byte, r *telemetryRow) ([]byte, error) {
		return telemetrySchema.KeyIn(dst).String(r.Device).Uint(uint64(r.Metric)).Time(r.At).Bytes()
	},
	read: func(key []byte, v *telemetryValues) error {
		return telemetrySchema.Read(key).Binary(&v.device).Uint(&v.metric).Time(&v.at).Err()
	},
	floorKey: floorTelemetry, floorRead: floorTelemetryRead, floorDecode: floorTelemetryDecode,
}

type numbersRow struct {
	Org  uint32 `rowkey:"org"`
	User int64  `rowkey:"user"`
	Type uint8  `rowkey:"type"`
	At   int64  `rowkey:"at,ms"`
}

type numbersValues struct {
	org, kind uint64
	user      int64
	at        time.Time
}

var numbersSchema = rowkey.New("numbers").
	Uint("org", 4).
	Int("user", 8).
	Uint("type", 1).
	Time("at", rowkey.Millis, rowkey.Desc).
	MustBuild()

var idsOnly = design[numbersRow, numbersValues]{
	name: "numbers", what: "[org:4][user:i8][type:1][max-ms(at)]", schema: numbersSchema,
	keyGoal: 2.6, codecGoal: 3.3, readGoal: 4,
	row: func(i int) numbersRow {
		return numbersRow{uint32(i * 7919), int64(i)*1000003 - 500, uint8(i), began.UnixMilli() + int64(i)}
	},
	key: func(dst []byte, r *numbersRow) ([]byte, error) {
		return numbersSchema.KeyIn(dst).Uint(uint64(r.Org)).Int(r.User).Uint(uint64(r.Type)).UnixMilli(r.At).Bytes()
	},
	read: func(key []byte, v *numbersValues) error {
		return numbersSchema.Read(key).Uint(&v.org).Int(&v.user).Uint(&v.kind).Time(&v.at).Err()
	},
	floorKey: floorIDs, floorRead: floorIDsRead, floorDecode: floorIDsDecode,
}

type daysRow struct {
	Day time.Time `rowkey:"day"`
	UID uint64    `rowkey:"uid"`
}

type daysValues struct {
	day time.Time
	uid uint64
}

var daysSchema = rowkey.New("days").
	Time("day", rowkey.Layout("20060102", time.UTC)).Separator("-").
	Uint("uid", 8).
	MustBuild()

var days = design[daysRow, daysValues]{
	name: "days", what: `[layout("20060102",UTC)(day)]['-'][uid:8]`, schema: daysSchema,
	row: func(i int) daysRow {
		return daysRow{time.Date(2023, 5, 16+i, 0, 0, 0, 0, time.UTC), uint64(i) * 1000003}
	},
	key: func(dst []byte, r *daysRow) ([]byte, error) {
		return daysSchema.KeyIn(dst).Time(r.Day).Uint(r.UID).Bytes()
	},
	read:     func(key []byte, v *daysValues) error { return daysSchema.Read(key).Time(&v.day).Uint(&v.uid).Err() },
	floorKey: floorDays, floorRead: floorDaysRead, floorDecode: floorDaysDecode,
}

type phonesRow struct {
	Phone string `rowkey:"phone"`
	At    int64  `rowkey:"at,ms"`
}

type phonesValues struct {
	phone []byte
	at    time.Time
}

var phonesSchema = rowkey.New("phones").
	String("phone", rowkey.Reverse, rowkey.Fixed(11)).
	Time("at", rowkey.Millis, rowkey.Desc).
	MustBuild()

var phones = design[phonesRow, phonesValues]{
	name: "phones", what: "[phone reverse fixed(11)][max-ms(at)]", schema: phonesSchema, texts: 1,
	row: func(i int) phonesRow {
		return phonesRow{strconv.Itoa(13112345678 + i*7919), began.UnixMilli() + int64(i)}
	},
	key: func(dst []byte, r *phonesRow) ([]byte, error) {
		return phonesSchema.KeyIn(dst).String(r.Phone).UnixMilli(r.At).Bytes()
	},
	read: func(key []byte, v *phonesValues) error {
		return phonesSchema.Read(key).Binary(&v.phone).Time(&v.at).Err()
	},
	floorKey: floorPhones, floorRead: floorPhonesRead, floorDecode: floorPhonesDecode,
}

type tenantsRow struct {
	Tenant string    `rowkey:"tenant"`
	ID     uint64    `rowkey:"id"`
	At     time.Time `rowkey:"at"`
}

type tenantsValues struct {
	tenant []byte
	id     uint64
	at     time.Time
}

var tenantsSchema = rowkey.New("tenants").
	Salt(16, "values(tenant,id)").
	String("tenant").Separator("\x00").
	Uint("id", 8).
	Time("at", rowkey.Seconds).
	MustBuild()

var tenants = design[tenantsRow, tenantsValues]{
	name: "tenants", what: "[salt16(values(tenant,id))][tenant]['\\x00'][id:8][s(at)]", schema: tenantsSchema, texts: 1, readGoal: 2.3,
	row: func(i int) tenantsRow {
		return tenantsRow{"tenant-" + strconv.Itoa(i*7919%1000), uint64(i) * 1000003, began.Add(time.Duration(i) * time.Second)}
	},
	key: func(dst []byte, r *tenantsRow) ([]byte, error) {
		return tenantsSchema.KeyIn(dst).String(r.Tenant).Uint(r.ID).Time(r.At).Bytes()
	},
	read: func(key []byte, v *tenantsValues) error {
		return tenantsSchema.Read(key).Binary(&v.tenant).Uint(&v.id).Time(&v.at).Err()
	},
	floorKey: floorTenants, floorRead: floorTenantsRead, floorDecode: floorTenantsDecode,
}

type escapedRow struct {
	Tenant string    `rowkey:"tenant"`
	At     time.Time `rowkey:"at"`
	Seq    uint32    `rowkey:"seq"`
}

type escapedValues struct {
	tenant []byte
	at     time.Time
	seq    uint64
}

var escapedSchema = rowkey.New("escaped").
	String("tenant", rowkey.Escaped).
	Time("at", rowkey.Micros).
	Uint("seq", 4).
	MustBuild()

var escaped = design[escapedRow, escapedValues]{
	name: "escaped", what: "[tenant escaped][us(at)][seq:4]", schema: escapedSchema, texts: 1,
	row: func(i int) escapedRow {
		return escapedRow{"tenant-" + strconv.Itoa(i*7919%1000), began.Add(time.Duration(i) * time.Microsecond), uint32(i)}
	},
	key: func(dst []byte, r *escapedRow) ([]byte, error) {
		return escapedSchema.KeyIn(dst).String(r.Tenant).Time(r.At).Uint(uint64(r.Seq)).Bytes()
	},
	read: func(key []byte, v *escapedValues) error {
		return escapedSchema.Read(key).Binary(&v.tenant).Time(&v.at).Uint(&v.seq).Err()
	},
	floorKey: floorEscaped, floorRead: floorEscapedRead, floorDecode: floorEscapedDecode,
}

type textsRow struct {
	User  string `rowkey:"user"`
	At    int64  `rowkey:"at,ms"`
	Order uint64 `rowkey:"order"`
}

type textsValues struct {
	user  []byte
	at    time.Time
	order uint64
}

var textsSchema = rowkey.New("texts").
	Hash(rowkey.MD5.Hex(4), "user").
	String("user").Separator("_").
	Time("at", rowkey.Millis, rowkey.Desc, rowkey.Digits(19)).Separator("_").
	Uint("order", 8, rowkey.Decimal).
	MustBuild()

var texts = design[textsRow, textsValues]{
	name: "texts", what: "[md5.hex(4)(user)][user]['_'][max-ms(at) digits(19)]['_'][order:8 decimal]", schema: textsSchema, texts: 1,
	row: func(i int) textsRow {
		return textsRow{"user-" + strconv.Itoa(i*7919%1000), began.UnixMilli() + int64(i), uint64(i) * 1000003}
	},
	key: func(dst []byte, r *textsRow) ([]byte, error) {
		return textsSchema.KeyIn(dst).String(r.User).UnixMilli(r.At).Uint(r.Order).Bytes()
	},
	read: func(key []byte, v *textsValues) error {
		return textsSchema.Read(key).Binary(&v.user).Time(&v.at).Uint(&v.order).Err()
	},
	floorKey: floorTexts, floorRead: floorTextsRead, floorDecode: floorTextsDecode,
}

type quotesRow struct {
	Symbol string  `rowkey:"symbol"`
	Price  float64 `rowkey:"price"`
	Bid    bool    `rowkey:"bid"`
	Venue  uint32  `rowkey:"venue"`
}

type quotesValues struct {
	symbol []byte
	price  float64
	bid    bool
	venue  uint64
}

var quotesSchema = rowkey.New("quotes").
	Literal("q1").
	String("symbol", rowkey.Pad(8, ' ')).
	Float("price", 8).
	Bool("bid").
	Uint("venue", 3).
	MustBuild()

var quotes = design[quotesRow, quotesValues]{
	name: "quotes", what: `["q1"][symbol pad(8,' ')][price:f8][bid:bool][venue:3]`, schema: quotesSchema, texts: 1,
	row: func(i int) quotesRow {
		return quotesRow{"SYM" + strconv.Itoa(i*7919%1000), float64(i*31%1000)/8 - 20, i%3 == 0, uint32(i)}
	},
	key: func(dst []byte, r *quotesRow) ([]byte, error) {
		return quotesSchema.KeyIn(dst).String(r.Symbol).Float(r.Price).Bool(r.Bid).Uint(uint64(r.Venue)).Bytes()
	},
	read: func(key []byte, v *quotesValues) error {
		return quotesSchema.Read(key).Binary(&v.symbol).Float(&v.price).Bool(&v.bid).Uint(&v.venue).Err()
	},
	floorKey: floorQuotes, floorRead: floorQuotesRead, floorDecode: floorQuotesDecode,
}

type filesRow struct {
	ID   string `rowkey:"id"`
	Part uint32 `rowkey:"part"`
	Path string `rowkey:"path"`
	Rev  int32  `rowkey:"rev"`
}

type filesValues struct {
	id   []byte
	part uint64
	path []byte
	rev  int64
}

var filesSchema = rowkey.New("files").
	String("id", rowkey.UUID).
	Uint("part", 4, rowkey.HexDigits(8)).
	String("path", rowkey.LenPrefix(2)).
	Int("rev", 4).
	MustBuild()

var files = design[filesRow, filesValues]{
	name: "files", what: "[id uuid][part:4 hexdigits(8)][path lenprefix(2)][rev:i4]", schema: filesSchema, texts: 2,
	row: func(i int) filesRow {
		return filesRow{fmt.Sprintf("0188243e-%04x-7000-8000-%012x", i, i*7919), uint32(i) * 7919, "/srv/files/" + strconv.Itoa(i*7919%1000), int32(i - 500)}
	},
	key: func(dst []byte, r *filesRow) ([]byte, error) {
		return filesSchema.KeyIn(dst).String(r.ID).Uint(uint64(r.Part)).String(r.Path).Int(int64(r.Rev)).Bytes()
	},
	read: func(key []byte, v *filesValues) error {
		return filesSchema.Read(key).Binary(&v.id).Uint(&v.part).Binary(&v.path).Int(&v.rev).Err()
	},
	floorKey: floorFiles, floorRead: floorFilesRead, floorDecode: floorFilesDecode,
}

type ordersRow struct {
	Order uint64    `rowkey:"order"`
	At    time.Time `rowkey:"at"`
}

type ordersValues struct {
	order uint64
	at    time.Time
}

var ordersSchema = rowkey.New("orders").
	Salt(100, "order", rowkey.Digits(2)).Separator("_").
	Uint("order", 8, rowkey.Digits(12)).Separator("_").
	Time("at", rowkey.Layout("20060102150405", time.UTC)).
	MustBuild()

var orders = design[ordersRow, ordersValues]{
	name: "orders", what: `[salt100(order) digits(2)]['_'][order:8 digits(12)]['_'][layout("20060102150405",UTC)(at)]`, schema: ordersSchema,
	row: func(i int) ordersRow {
		return ordersRow{uint64(i) * 1000003, began.Add(time.Duration(i) * 7919 * time.Second)}
	},
	key: func(dst []byte, r *ordersRow) ([]byte, error) {
		return ordersSchema.KeyIn(dst).Uint(r.Order).Time(r.At).Bytes()
	},
	read: func(key []byte, v *ordersValues) error {
		return ordersSchema.Read(key).Uint(&v.order).Time(&v.at).Err()
	},
	floorKey: floorOrders, floorRead: floorOrdersRead, floorDecode: floorOrdersDecode,
}

type javasRow struct {
	User int64  `rowkey:"user"`
	At   int64  `rowkey:"at,ms"`
	Kind int32  `rowkey:"kind"`
	Name string `rowkey:"name"`
}

type javasValues struct {
	user, kind int64
	at         time.Time
	name       []byte
}

var javasSchema = rowkey.New("javas", interop.HBase).
	Int("user", 8).
	Time("at", rowkey.Millis).
	Int("kind", 4).
	String("name").
	MustBuild()

var javas = design[javasRow, javasValues]{
	name: "javas", what: "hbase [user:i8][ms(at)][kind:i4][name]", schema: javasSchema, texts: 1,
	row: func(i int) javasRow {
		return javasRow{int64(i)*1000003 - 500, began.UnixMilli() + int64(i), int32(i - 512), "name-" + strconv.Itoa(i*7919%100000)}
	},
	key: func(dst []byte, r *javasRow) ([]byte, error) {
		return javasSchema.KeyIn(dst).Int(r.User).UnixMilli(r.At).Int(int64(r.Kind)).String(r.Name).Bytes()
	},
	read: func(key []byte, v *javasValues) error {
		return javasSchema.Read(key).Int(&v.user).Time(&v.at).Int(&v.kind).Binary(&v.name).Err()
	},
	floorKey: floorJavas, floorRead: floorJavasRead, floorDecode: floorJavasDecode,
}

type hostsRow struct {
	Host string    `rowkey:"host"`
	ID   int64     `rowkey:"id"`
	At   time.Time `rowkey:"at"`
}

type hostsValues struct {
	host []byte
	id   int64
	at   time.Time
}

var hostsSchema = rowkey.New("hosts", interop.Phoenix).
	Salt(16, "rest()").
	String("host").
	Int("id", 8, rowkey.Desc).
	Time("at", rowkey.Millis).
	MustBuild()

var hosts = design[hostsRow, hostsValues]{
	name: "hosts", what: "phoenix [salt16(rest())][host][id:i8 desc][ms(at)]", schema: hostsSchema, texts: 1,
	row: func(i int) hostsRow {
		return hostsRow{"host-" + strconv.Itoa(i*7919%1000), int64(i)*1000003 - 500, began.Add(time.Duration(i) * time.Millisecond)}
	},
	key: func(dst []byte, r *hostsRow) ([]byte, error) {
		return hostsSchema.KeyIn(dst).String(r.Host).Int(r.ID).Time(r.At).Bytes()
	},
	read: func(key []byte, v *hostsValues) error {
		return hostsSchema.Read(key).Binary(&v.host).Int(&v.id).Time(&v.at).Err()
	},
	floorKey: floorHosts, floorRead: floorHostsRead, floorDecode: floorHostsDecode,
}
