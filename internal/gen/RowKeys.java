/** What the classes of all row keys share. Keys and ranges are bytes that sort without signs. */
public final class RowKeys {
  private RowKeys() {}

  /** Why a value or a key is refused. */
  public enum Reason {
    /** A value is null. */
    MISSING,
    /** The field does not take the value. */
    RANGE,
    /** The value and its end could not be told apart. */
    TERMINATOR,
    /** The length is not allowed. */
    LENGTH,
    /** The bytes are not a key of this schema. */
    MALFORMED,
    /** A salt or hash does not match the fields. */
    DERIVED,
    /** Java has no String of these bytes, or no bytes of this String. */
    UTF8,
    /** Split keys depend on the data. */
    SPLITS,
    /** More than 1024 ranges. */
    RANGES
  }

  /** A component of a schema. */
  static final class Field {
    final String schema;
    final String name;

    Field(String schema, String name) {
      this.schema = schema;
      this.name = name;
    }
  }

  /** Names the field that is at fault, and never its value. */
  public static final class KeyException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;
    /** The field. It is empty if the key as a whole is meant. */
    public final String field;
    public final Reason reason;
    /** The byte of the key, or -1. */
    public final int offset;

    KeyException(Field f, Reason reason, int offset, String why) {
      super("rowkey: " + f.schema + (f.name.isEmpty() ? "" : ": " + f.name) + ": " + why + (offset < 0 ? "" : " (at byte " + offset + ")"));
      this.field = f.name;
      this.reason = reason;
      this.offset = offset;
    }
  }

  /** The keys from start, inclusive, to stop, exclusive. An empty stop is the end of the table. */
  public static final class Range {
    public final byte[] start;
    public final byte[] stop;

    Range(byte[] start, byte[] stop) {
      this.start = start;
      this.stop = stop;
    }

    /** The bounds as hexadecimal digits, as in [0c61, 0c62). */
    @Override
    public String toString() {
      return "[" + hex(start) + ", " + (stop.length == 0 ? "end of table" : hex(stop)) + ")";
    }

    private static String hex(byte[] b) {
      StringBuilder s = new StringBuilder();
      for (byte c : b) s.append(Character.forDigit(c >> 4 & 15, 16)).append(Character.forDigit(c & 15, 16));
      return s.toString();
    }
  }

  /** Compares keys as HBase does: byte by byte, without signs; of two that begin alike the shorter is less. */
  public static final Comparator<byte[]> COMPARATOR = new Unsigned();

  private static final class Unsigned implements Comparator<byte[]>, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public int compare(byte[] a, byte[] b) {
      int n = Math.min(a.length, b.length);
      for (int i = 0; i < n; i++) {
        if (a[i] != b[i]) return (a[i] & 0xff) - (b[i] & 0xff);
      }
      return a.length - b.length;
    }

    private Object readResolve() {
      return COMPARATOR;
    }
  }

  /** The number of the region that holds a key, from 0. starts are the first keys of the regions in
   * key order; the first may be empty, as HBase gives it, or left out, as splits gives them. */
  static int region(byte[] key, byte[][] starts) {
    int low = 0, high = starts.length; // the first start above key
    while (low < high) {
      int mid = (low + high) >>> 1;
      if (COMPARATOR.compare(starts[mid], key) <= 0) low = mid + 1;
      else high = mid;
    }
    return starts.length > 0 && starts[0].length == 0 ? low - 1 : low;
  }

  /** A component at the start of a key whose forms are known: forms, or all of n digits to a base. */
  static final class Lead {
    final byte[] before;
    final byte[][] forms;
    final int base;
    final int n;
    final boolean upper;

    Lead(String before, byte[][] forms, int base, int n, boolean upper) {
      this.before = latin(before);
      this.forms = forms;
      this.base = base;
      this.n = n;
      this.upper = upper;
    }

    BigInteger count() {
      return forms != null ? BigInteger.valueOf(forms.length) : BigInteger.valueOf(base).pow(n);
    }

    byte[] form(BigInteger i) {
      if (forms != null) return forms[i.intValue()];
      byte[] out = new byte[n];
      for (int k = n - 1; k >= 0; k--) {
        BigInteger[] d = i.divideAndRemainder(BigInteger.valueOf(base));
        int digit = d[1].intValue();
        out[k] = (byte) (base == 256 ? digit : (upper ? "0123456789ABCDEF" : "0123456789abcdef").charAt(digit));
        i = d[0];
      }
      return out;
    }
  }

  /** regions-1 split keys of the leading components. Split i is value ceil(i*N/regions) of N. */
  static byte[][] splits(Field f, int regions, Lead... leads) {
    if (regions < 1 || regions > 1 << 20) throw new KeyException(f, Reason.RANGE, -1, regions + " regions, 1 to 1048576");
    BigInteger want = BigInteger.valueOf(regions), values = BigInteger.ONE;
    int k = 0;
    while (k < leads.length && values.compareTo(want) < 0) values = values.multiply(leads[k++].count());
    if (values.compareTo(want) < 0) throw new KeyException(f, Reason.SPLITS, -1, values + " leading values make no " + regions + " regions");
    byte[][] out = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      BigInteger n = values.multiply(BigInteger.valueOf(i)).add(want).subtract(BigInteger.ONE).divide(want);
      byte[][] parts = new byte[2 * k][];
      for (int j = k - 1; j >= 0; j--) {
        BigInteger[] d = n.divideAndRemainder(leads[j].count());
        parts[2 * j] = leads[j].before;
        parts[2 * j + 1] = leads[j].form(d[1]);
        n = d[0];
      }
      out[i - 1] = concat(parts);
    }
    return out;
  }

  /**
   * Adds the ranges of the keys that begin with p, for each form of what is open at at[i], in the place of width[i]
   * bytes. If only nulls follow, a key ends before the last trim bytes of p. apart: other keys sort between that
   * key and p.
   */
  static void spread(List<Range> all, byte[] p, boolean exact, int trim, boolean apart, int[] at, int[] width, byte[][][] forms) {
    spread(all, p, exact, trim, apart, at, width, forms, 0, 0);
  }

  private static void spread(
      List<Range> all, byte[] p, boolean exact, int trim, boolean apart, int[] at, int[] width, byte[][][] forms, int i, int shift) {
    if (i < at.length) {
      int from = at[i] + shift, to = from + width[i];
      for (byte[] f : forms[i]) {
        byte[] q = new byte[p.length - width[i] + f.length];
        System.arraycopy(p, 0, q, 0, from);
        System.arraycopy(f, 0, q, from, f.length);
        System.arraycopy(p, to, q, from + f.length, p.length - to);
        spread(all, q, exact, trim, apart, at, width, forms, i + 1, shift + f.length - width[i]);
      }
      return;
    }
    byte[] start = p;
    if (trim > 0 && trim < p.length) {
      start = Arrays.copyOf(p, p.length - trim);
      if (apart) {
        add(all, start, stop(start, true));
        start = p;
      }
    }
    add(all, start, stop(p, exact));
  }

  /** The first key after all keys that begin with p or, if exact, after p; empty if there is none. */
  private static byte[] stop(byte[] p, boolean exact) {
    if (exact && p.length < 32767) return Arrays.copyOf(p, p.length + 1);
    int n = p.length;
    while (n > 0 && p[n - 1] == -1) n--;
    byte[] stop = Arrays.copyOf(p, n);
    if (n > 0) stop[n - 1]++;
    return stop;
  }

  /** Adds a range. Nulls may make a bound longer than a key: then its first 32767 bytes decide, and no key may be left. */
  private static void add(List<Range> all, byte[] start, byte[] stop) {
    if (start.length > 32767) {
      start = stop(Arrays.copyOf(start, 32767), false);
      if (start.length == 0) return;
    }
    if (stop.length > 32767) stop = stop(Arrays.copyOf(stop, 32767), false);
    if (stop.length > 0 && COMPARATOR.compare(start, stop) >= 0) return;
    all.add(new Range(start, stop));
  }

  /** Cuts a text of one char for each byte into pieces. */
  static byte[][] cut(String all, int width) {
    byte[][] out = new byte[all.length() / width][];
    for (int i = 0; i < out.length; i++) out[i] = latin(all.substring(i * width, (i + 1) * width));
    return out;
  }

  static byte[] latin(String s) {
    return s.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** UTF-8. Half a surrogate pair has none, and String.getBytes would write '?' for it. */
  static byte[] utf8(Field f, String s) {
    if (s == null) throw new KeyException(f, Reason.MISSING, -1, "null");
    int n = s.length();
    for (int i = 0; i < n; i++) {
      char c = s.charAt(i);
      if (c < 0xD800 || c > 0xDFFF) continue;
      if (c > 0xDBFF || i + 1 == n || s.charAt(i + 1) < 0xDC00 || s.charAt(i + 1) > 0xDFFF) {
        throw new KeyException(f, Reason.UTF8, -1, "char " + i + " is half of a surrogate pair");
      }
      i++;
    }
    return s.getBytes(StandardCharsets.UTF_8);
  }

  /** The String of these bytes, or null if they are not UTF-8. */
  private static String strict(byte[] b) {
    boolean ascii = true;
    for (byte c : b) {
      if (c < 0) {
        ascii = false;
        break;
      }
    }
    if (ascii) return new String(b, StandardCharsets.ISO_8859_1);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(b)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  static String text(Field f, byte[] b, int at) {
    String s = strict(b);
    if (s == null) throw new KeyException(f, Reason.UTF8, at, "a String holds UTF-8, which this is not");
    return s;
  }

  static int javaHash(Field f, byte[] b) {
    String s = strict(b);
    if (s == null) throw new KeyException(f, Reason.RANGE, -1, "String.hashCode is of UTF-8");
    return s.hashCode();
  }

  /** Math.abs(h) % n, or an exception where that is negative. */
  static long absMod(Field f, int h, long n) {
    if (h == Integer.MIN_VALUE) throw new KeyException(f, Reason.RANGE, -1, "Math.abs of its hash is negative");
    return Math.abs(h) % n;
  }

  static byte[] reverse(byte[] b) {
    byte[] out = new byte[b.length];
    for (int i = 0; i < b.length; i++) out[i] = b[b.length - 1 - i];
    return out;
  }

  static void reverseIn(byte[] b, int at, int n) {
    for (int i = 0; i < n / 2; i++) {
      byte c = b[at + i];
      b[at + i] = b[at + n - 1 - i];
      b[at + n - 1 - i] = c;
    }
  }

  static byte[] invert(byte[] b) {
    byte[] out = new byte[b.length];
    for (int i = 0; i < b.length; i++) out[i] = (byte) ~b[i];
    return out;
  }

  /** The value at the place at which v stands in a list; null if it does not. */
  static byte[] swap(byte[] v, byte[][] from, byte[][] to) {
    for (int i = 0; i < from.length; i++) if (Arrays.equals(from[i], v)) return to[i].clone();
    return null;
  }

  static byte[] left(byte[] b, int n) {
    return b.length <= n ? b : Arrays.copyOf(b, n);
  }

  static byte[] right(byte[] b, int n) {
    return b.length <= n ? b : Arrays.copyOfRange(b, b.length - n, b.length);
  }

  /** Reverses the characters of UTF-8. */
  static byte[] reverseRunes(Field f, byte[] b, int at) {
    if (strict(b) == null) throw new KeyException(f, at < 0 ? Reason.RANGE : Reason.MALFORMED, at, "not UTF-8");
    byte[] out = new byte[b.length];
    for (int i = 0; i < b.length; ) {
      int n = 1;
      while (i + n < b.length && (b[i + n] & 0xC0) == 0x80) n++;
      System.arraycopy(b, i, out, b.length - i - n, n);
      i += n;
    }
    return out;
  }

  /** Reverses the order of the labels between separators. */
  static byte[] reverseLabels(byte[] b, String sep) {
    byte[] out = new byte[b.length];
    for (int i = 0; ; ) {
      int n = find(b, i, sep);
      int end = n < 0 ? b.length : n;
      System.arraycopy(b, i, out, b.length - end, end - i);
      if (n < 0) return out;
      i = n + sep.length();
      System.arraycopy(b, n, out, b.length - i, sep.length());
    }
  }

  static byte[] reversePart(Field f, byte[] b, int at, int from, int to) {
    if (b.length < to) throw new KeyException(f, at < 0 ? Reason.LENGTH : Reason.MALFORMED, at, b.length + " bytes, at least " + to);
    byte[] out = b.clone();
    for (int i = from; i < to; i++) out[i] = b[from + to - 1 - i];
    return out;
  }

  /** A number as text of at least n characters, zeros after the sign. */
  static byte[] padded(String s, int n) {
    StringBuilder b = new StringBuilder(s);
    int at = s.startsWith("-") ? 1 : 0;
    while (b.length() < n) b.insert(at, '0');
    return latin(b.toString());
  }

  /** 1 to 9 bytes, of which the first begins with as many 1 bits as bytes follow. Each is XORed with flip. */
  static byte[] varint(long u, int flip) {
    int n = Math.min(9, Math.max(1, (64 - Long.numberOfLeadingZeros(u) + 6) / 7));
    byte[] out = new byte[n];
    put(out, Math.max(0, n - 8), u, Math.min(8, n));
    out[0] |= (byte) (0xff << (9 - n));
    for (int i = 0; i < n; i++) out[i] ^= (byte) flip;
    return out;
  }

  static int varintEnd(byte[] b, int from, int flip) {
    if (from >= b.length) return -1;
    int n = 1 + Integer.numberOfLeadingZeros(~(b[from] ^ flip) << 24 | 0x800000);
    return n > b.length - from ? -1 : from + n;
  }

  static long unvarint(byte[] b, int from, int to, int flip, Field f, int at) {
    int n = to - from;
    long u = 0;
    boolean ok = varintEnd(b, from, flip) == to;
    for (int i = from; i < to; i++) u = u << 8 | ((b[i] ^ flip) & 0xff);
    if (n < 9) u &= (1L << 7 * n) - 1;
    if (!ok || varint(u, 0).length != n) throw new KeyException(f, Reason.MALFORMED, at, "not the shortest varint");
    return u;
  }

  static byte[] concat(byte[]... parts) {
    int n = 0;
    for (byte[] p : parts) n += p.length;
    byte[] out = new byte[n];
    n = 0;
    for (byte[] p : parts) {
      System.arraycopy(p, 0, out, n, p.length);
      n += p.length;
    }
    return out;
  }

  static byte[] fixed(Field f, byte[] b, int n) {
    if (b.length != n) throw new KeyException(f, Reason.LENGTH, -1, b.length + " bytes, exactly " + n);
    return b;
  }

  static byte[] pad(Field f, byte[] b, int n, byte fill) {
    if (b.length > n) throw new KeyException(f, Reason.LENGTH, -1, b.length + " bytes, at most " + n);
    if (b.length > 0 && b[b.length - 1] == fill) throw new KeyException(f, Reason.TERMINATOR, -1, "ends with its padding");
    byte[] out = Arrays.copyOf(b, n);
    Arrays.fill(out, b.length, n, fill);
    return out;
  }

  static byte[] padLeft(Field f, byte[] b, int n, byte fill) {
    if (b.length > n) throw new KeyException(f, Reason.LENGTH, -1, b.length + " bytes, at most " + n);
    if (b.length > 0 && b[0] == fill) throw new KeyException(f, Reason.TERMINATOR, -1, "begins with its padding");
    byte[] out = new byte[n];
    Arrays.fill(out, 0, n - b.length, fill);
    System.arraycopy(b, 0, out, n - b.length, b.length);
    return out;
  }

  static byte[] unpad(byte[] b, byte fill) {
    int n = b.length;
    while (n > 0 && b[n - 1] == fill) n--;
    return Arrays.copyOf(b, n);
  }

  static byte[] unpadLeft(byte[] b, byte fill) {
    int n = 0;
    while (n < b.length && b[n] == fill) n++;
    return Arrays.copyOfRange(b, n, b.length);
  }

  /** 00 becomes 00 ff, and 00 01 is the end, unless the text is open. */
  static byte[] escape(byte[] b, boolean open) {
    int zeros = 0;
    for (byte c : b) if (c == 0) zeros++;
    byte[] out = new byte[b.length + zeros + (open ? 0 : 2)];
    int p = 0;
    for (byte c : b) {
      out[p++] = c;
      if (c == 0) out[p++] = -1;
    }
    if (!open) out[p + 1] = 1;
    return out;
  }

  /** With 00 at the end, which it must not hold. */
  static byte[] ended(Field f, byte[] b) {
    if (findByte(b, 0, (byte) 0) >= 0) throw new KeyException(f, Reason.TERMINATOR, -1, "holds 00, which ends it");
    return Arrays.copyOf(b, b.length + 1);
  }

  /** After the first 00, or -1. Each byte is XORed with flip. */
  static int endedEnd(byte[] b, int from, int flip) {
    int i = findByte(b, from, (byte) flip);
    return i < 0 ? -1 : i + 1;
  }

  /** Where the form of a field that may be null ends, or one whose own end may be left off; -1 if nowhere.
   * self is where it ends with its end; tail says that the key may end here. */
  static int nullEnd(byte[] b, int from, int self, String nul, boolean optional, boolean tail, boolean trims) {
    if (from == b.length) return optional && tail ? from : -1;
    if (optional && !nul.isEmpty() && at(b, from, nul)) {
      int n = from + nul.length();
      return !tail || n < b.length ? n : -1;
    }
    if (trims && self < 0) return b.length;
    return trims && self == b.length ? -1 : self;
  }

  static byte[] unended(byte[] b) {
    return b.length > 0 && b[b.length - 1] == 0 ? Arrays.copyOf(b, b.length - 1) : b;
  }

  /** The digits of a number from the first to the last that is not 0. */
  private static String digitsOf(BigDecimal x) {
    String d = x.unscaledValue().abs().toString();
    int n = d.length();
    while (n > 0 && d.charAt(n - 1) == '0') n--;
    return d.substring(0, n);
  }

  /** e where a number is 0.d1d2... 10^e. */
  private static long pointOf(BigDecimal x) {
    return x.signum() == 0 ? 0 : (long) x.precision() - x.scale();
  }

  /** A decimal number as OrderedBytes.encodeNumeric or Phoenix's DECIMAL writes it. Of 0 digits there is no limit. */
  static byte[] decimal(Field f, BigDecimal x, boolean numeric, int digits, int scale) {
    String d = digitsOf(x);
    int n = d.length();
    long point = pointOf(x), odd = point & 1, e = (point + odd) / 2;
    if (n > (numeric ? 31 : 38) || Math.abs(e) > (numeric ? 65535 : 61)) throw new KeyException(f, Reason.RANGE, -1, "too many digits, or too large or small");
    if (digits != 0 && (point > digits - scale || n - point > scale)) throw new KeyException(f, Reason.RANGE, -1, "more digits than its precision");
    if (n == 0) return new byte[] {(byte) (numeric ? 0x15 : 0x80)};
    boolean neg = x.signum() < 0;
    int count = (n + (int) odd + 1) / 2, flip = neg ? 0xff : 0;
    byte[] out = new byte[4 + count + 1];
    int k = 0;
    if (!numeric) out[k++] = (byte) (neg ? 0x3f - e : 0xc0 + e);
    else if (e > 10) k = varuint(out, neg ? 0x08 : 0x22, (int) e, flip);
    else if (e > 0) out[k++] = (byte) (neg ? 0x13 - e : 0x17 + e);
    else k = varuint(out, neg ? 0x14 : 0x16, (int) -e, flip ^ 0xff);
    for (int i = 0; i < count; i++) {
      int at = 2 * i - (int) odd;
      int p = (at >= 0 ? 10 * (d.charAt(at) - '0') : 0) + (at + 1 < n ? d.charAt(at + 1) - '0' : 0);
      if (numeric) out[k++] = (byte) ((i == count - 1 ? 2 * p : 2 * p + 1) ^ flip);
      else out[k++] = (byte) (neg ? 101 - p : p + 1);
    }
    if (!numeric && neg && count < 20) out[k++] = 0x66;
    return Arrays.copyOf(out, k);
  }

  /** Writes a header and a number of up to 65535 in 1 to 3 bytes, each XORed with flip, and gives the length. */
  private static int varuint(byte[] out, int head, int v, int flip) {
    int k = 0;
    out[k++] = (byte) head;
    if (v <= 240) {
      out[k++] = (byte) (v ^ flip);
    } else if (v <= 2287) {
      out[k++] = (byte) (241 + (v - 240 >> 8) ^ flip);
      out[k++] = (byte) (v - 240 ^ flip);
    } else {
      out[k++] = (byte) (249 ^ flip);
      out[k++] = (byte) (v - 2288 >> 8 ^ flip);
      out[k++] = (byte) (v - 2288 ^ flip);
    }
    return k;
  }

  /** Where the pairs of digits of a numeric begin, or -1. */
  private static int pairsAt(byte[] b, int from, int flip) {
    if (from >= b.length) return -1;
    int h = (b[from] ^ flip) & 0xff;
    if (h > 0x08 && h < 0x14 || h > 0x17 && h < 0x22) return from + 1;
    if (h != 0x08 && h != 0x22 && h != 0x14 && h != 0x16 || from + 1 >= b.length) return -1;
    int v = (b[from + 1] ^ flip ^ (h == 0x08 || h == 0x16 ? 0xff : 0)) & 0xff, n = v <= 240 ? 1 : v <= 248 ? 2 : v == 249 ? 3 : 0;
    return n == 0 || from + 1 + n > b.length ? -1 : from + 1 + n;
  }

  /** Where the numeric at a place ends, or -1. Each byte is XORed with flip. */
  static int decimalEnd(byte[] b, int from, int flip) {
    if (from < b.length && ((b[from] ^ flip) & 0xff) == 0x15) return from + 1;
    int i = pairsAt(b, from, flip);
    if (i < 0) return -1;
    int h = (b[from] ^ flip) & 0xff, turn = h < 0x15 ? flip ^ 0xff : flip;
    for (; i < b.length; i++) if (((b[i] ^ turn) & 1) == 0) return i + 1;
    return -1;
  }

  /** The number of a whole form, or null; also of some bytes that decimal does not write. */
  private static BigDecimal number(byte[] b, boolean numeric) {
    if (b.length == 0) return null;
    int h = b[0] & 0xff;
    if (h == (numeric ? 0x15 : 0x80)) return b.length == 1 ? BigDecimal.ZERO : null;
    boolean neg = h < (numeric ? 0x15 : 0x80);
    int at = 1, end = b.length, e = neg ? 0x3f - h : h - 0xc0;
    if (numeric) {
      at = pairsAt(b, 0, 0);
      if (at < 0 || decimalEnd(b, 0, 0) != end) return null;
      boolean turned = h == 0x08 || h == 0x16;
      int v = turned || h == 0x22 || h == 0x14 ? unvaruint(b, turned ? 0xff : 0) : 0;
      e = h == 0x08 || h == 0x22 ? v : h == 0x14 || h == 0x16 ? -v : neg ? 0x13 - h : h - 0x17;
    } else if (neg && end > 1 && b[end - 1] == 0x66) {
      end--;
    }
    StringBuilder d = new StringBuilder("0");
    for (int i = at; i < end; i++) {
      int p = b[i] & 0xff;
      p = numeric ? (neg ? p ^ 0xff : p) / 2 : neg ? 101 - p : p - 1;
      if (p < 0 || p > 99) return null;
      d.append((char) ('0' + p / 10)).append((char) ('0' + p % 10));
    }
    BigDecimal x = new BigDecimal(new BigInteger(d.toString()), 2 * (end - at) - 2 * e);
    if (x.signum() == 0) return null;
    return (neg ? x.negate() : x).stripTrailingZeros();
  }

  /** The number after a header. */
  private static int unvaruint(byte[] b, int flip) {
    int v = (b[1] ^ flip) & 0xff;
    if (v <= 240) return v;
    int low = (b[2] ^ flip) & 0xff;
    return v <= 248 ? 240 + (v - 241 << 8) + low : 2288 + (low << 8) + ((b[3] ^ flip) & 0xff);
  }

  static BigDecimal undecimal(Field f, byte[] b, boolean numeric, int digits, int scale, int at) {
    BigDecimal x = number(b, numeric);
    try {
      if (x != null && Arrays.equals(decimal(f, x, numeric, digits, scale), b)) return x;
    } catch (KeyException e) {
      x = null; // it lies outside of what is stored
    }
    throw new KeyException(f, Reason.MALFORMED, at, "not a decimal number");
  }

  static byte[] whole(Field f, long u, boolean signed, boolean numeric) {
    return decimal(f, new BigDecimal(signed ? Long.toString(u) : Long.toUnsignedString(u)), numeric, 0, 0);
  }

  static long unwhole(Field f, byte[] b, boolean signed, boolean numeric, int at) {
    BigDecimal x = undecimal(f, b, numeric, 0, 0, at);
    if (pointOf(x) <= 20 && x.scale() <= 0) {
      BigInteger v = x.toBigIntegerExact();
      if (signed ? v.bitLength() <= 63 : v.signum() >= 0 && v.bitLength() <= 64) return v.longValue();
    }
    throw new KeyException(f, Reason.MALFORMED, at, "not a whole number of 64 bits");
  }

  /** A number as text: -12.345, 0.001, 1.5E+300. */
  static String decimalText(BigDecimal x) {
    String d = digitsOf(x);
    int n = d.length();
    if (n == 0) return "0";
    long e = pointOf(x);
    StringBuilder b = new StringBuilder(x.signum() < 0 ? "-" : "");
    if (e > n + 20 || e < -20) {
      b.append(d.charAt(0));
      if (n > 1) b.append('.').append(d, 1, n);
      return b.append(e > 0 ? "E+" : "E").append(e - 1).toString();
    }
    if (e <= 0) b.append("0.");
    for (long i = e; i < 0; i++) b.append('0');
    if (e > 0 && e < n) return b.append(d, 0, (int) e).append('.').append(d, (int) e, n).toString();
    b.append(d);
    for (long i = n; i < e; i++) b.append('0');
    return b.toString();
  }

  static byte[] headed(byte head, byte[] b) {
    byte[] out = new byte[b.length + 1];
    out[0] = head;
    System.arraycopy(b, 0, out, 1, b.length);
    return out;
  }

  /** Groups of seven bits, the first bits first; the highest bit of each group but the last is 1. */
  static byte[] groups(byte[] b) {
    byte[] out = new byte[Math.max(1, (8 * b.length + 6) / 7)];
    for (int i = 0; i < 8 * b.length; i++) {
      if ((b[i / 8] >> 7 - i % 8 & 1) != 0) out[i / 7] |= (byte) (0x40 >> i % 7);
    }
    for (int i = 0; i < out.length - 1; i++) out[i] |= (byte) 0x80;
    return out;
  }

  /** Where a header and the groups after it end, or -1. Each byte is XORed with flip. */
  static int groupsEnd(byte[] b, int from, int flip) {
    for (int i = from + 1; i < b.length; i++) if (((b[i] ^ flip) & 0x80) == 0) return i + 1;
    return -1;
  }

  static byte[] ungroup(Field f, byte[] b, int at) {
    byte[] out = new byte[b.length * 7 / 8];
    for (int i = 0; i < 8 * out.length; i++) {
      if ((b[i / 7] >> 6 - i % 7 & 1) != 0) out[i / 8] |= (byte) (0x80 >> i % 8);
    }
    if (!Arrays.equals(groups(out), b)) throw new KeyException(f, Reason.MALFORMED, at, "not groups of seven bits");
    return out;
  }

  /** Whole steps of s seconds and some nanoseconds; Long.MIN_VALUE if they are too many. */
  static long steps(long s, long nano, long per, long step) {
    long n = nano / step;
    if (s < 0) {
      s++;
      n -= per;
    }
    if (s < -(Long.MAX_VALUE / per) || s > Long.MAX_VALUE / per) return Long.MIN_VALUE;
    long u = s * per + n;
    return n < 0 ? (u > 0 ? Long.MIN_VALUE : u) : (u < 0 ? Long.MIN_VALUE : u);
  }

  /** Nanoseconds since 1970 of 8 bytes of milliseconds and 4 of the nanoseconds after them. */
  static long timestamp(byte[] b, int at, long xor, long rest, Field f, int offset) {
    long ms = get(b, at, 8) ^ xor, ns = (get(b, at + 8, 4) ^ rest) & 0xFFFFFFFFL, most = Long.MAX_VALUE / 1000000L;
    boolean ok = ns < 1000000L && ms >= -most - 1 && ms <= most;
    if (ms < 0) {
      ms++;
      ns -= 1000000L;
    }
    long u = ms * 1000000L + ns;
    if (!ok || (u < 0) != (ms < 0 || ns < 0) || u == Long.MIN_VALUE) throw new KeyException(f, Reason.MALFORMED, offset, "no instant of 64 bits of nanoseconds");
    return u;
  }

  static void invertIn(byte[] b, int at, int n) {
    for (int i = at; i < at + n; i++) b[i] = (byte) ~b[i];
  }

  static byte[] unescape(byte[] b) {
    byte[] out = new byte[b.length];
    int p = 0;
    for (int i = 0; i < b.length - 2; i++) {
      out[p++] = b[i];
      if (b[i] == 0) i++;
    }
    return Arrays.copyOf(out, p);
  }

  /** Where an escaped text ends, or -1. Each byte is XORed with flip. */
  static int escapedEnd(byte[] b, int from, int flip) {
    for (int i = from; i < b.length; i++) {
      if (((b[i] & 0xff) ^ flip) != 0) continue;
      if (++i == b.length) return -1;
      int c = (b[i] & 0xff) ^ flip;
      if (c == 1) return i + 1;
      if (c != 0xff) return -1;
    }
    return -1;
  }

  static byte[] lengthPrefix(Field f, byte[] b, int width) {
    long most = Math.min((1L << 8 * width) - 1, 32767);
    if (b.length > most) throw new KeyException(f, Reason.LENGTH, -1, b.length + " bytes, at most " + most);
    byte[] out = new byte[width + b.length];
    put(out, 0, b.length, width);
    System.arraycopy(b, 0, out, width, b.length);
    return out;
  }

  static int lengthEnd(byte[] b, int from, int width, int flip) {
    if (b.length - from < width) return -1;
    long n = 0;
    for (int i = 0; i < width; i++) n = n << 8 | ((b[from + i] & 0xff) ^ flip);
    return n > b.length - from - width ? -1 : from + width + (int) n;
  }

  /** Refuses a form in which, with its separator, an earlier end would be found. */
  static void noMark(Field f, byte[] form, String mark) {
    int m = mark.length();
    for (int i = 0; i < form.length; i++) {
      int k = 0;
      while (k < m && (i + k < form.length ? form[i + k] & 0xff : mark.charAt(i + k - form.length)) == mark.charAt(k)) k++;
      if (k == m) throw new KeyException(f, Reason.TERMINATOR, -1, "holds its separator");
    }
  }

  static boolean at(byte[] b, int from, String s) {
    if (b.length - from < s.length()) return false;
    for (int i = 0; i < s.length(); i++) if ((b[from + i] & 0xff) != s.charAt(i)) return false;
    return true;
  }

  static int find(byte[] b, int from, String s) {
    for (int i = from; i <= b.length - s.length(); i++) if (at(b, i, s)) return i;
    return -1;
  }

  static int findByte(byte[] b, int from, byte c) {
    for (int i = from; i < b.length; i++) if (b[i] == c) return i;
    return -1;
  }

  static boolean is(byte[] b, String s) {
    return b.length == s.length() && at(b, 0, s);
  }

  static boolean only(byte[] b, String set) {
    for (byte c : b) if (set.indexOf(c & 0xff) < 0) return false;
    return true;
  }

  static boolean same(byte[] form, byte[] key, int at) {
    for (int i = 0; i < form.length; i++) if (form[i] != key[at + i]) return false;
    return true;
  }

  /** The lowest n bytes of v, big-endian. */
  static void put(byte[] out, int at, long v, int n) {
    for (int i = n - 1; i >= 0; i--) {
      out[at + i] = (byte) v;
      v >>>= 8;
    }
  }

  static byte[] be(long v, int n) {
    byte[] out = new byte[n];
    put(out, 0, v, n);
    return out;
  }

  static long get(byte[] b, int at, int n) {
    long v = 0;
    for (int i = 0; i < n; i++) v = v << 8 | (b[at + i] & 0xff);
    return v;
  }

  /** n decimal digits of v, which has no sign. */
  static void putDigits(byte[] out, int at, long v, int n) {
    if (v < 0) {
      out[at + --n] = (byte) ('0' + Long.remainderUnsigned(v, 10));
      v = Long.divideUnsigned(v, 10);
    }
    while (--n >= 0) {
      out[at + n] = (byte) ('0' + v % 10);
      v /= 10;
    }
  }

  static long digits(byte[] b, int from, int to, Field f, int at) {
    long v = 0;
    boolean ok = to > from;
    for (int i = from; ok && i < to; i++) {
      int d = b[i] - '0';
      int c = Long.compareUnsigned(v, 1844674407370955161L);
      ok = d >= 0 && d <= 9 && c <= 0 && (c < 0 || d <= 5);
      v = v * 10 + d;
    }
    if (!ok) throw new KeyException(f, Reason.MALFORMED, at, "not decimal digits of 64 bits");
    return v;
  }

  /** Decimal digits without zeros before them. */
  static long plain(byte[] b, int from, int to, Field f, int at) {
    long v = digits(b, from, to, f, at);
    if (to - from > 1 && b[from] == '0') throw new KeyException(f, Reason.MALFORMED, at, "begins with 0");
    return v;
  }

  static long signed(byte[] b, int from, int to, Field f, int at) {
    boolean minus = to > from && b[from] == '-';
    long v = plain(b, minus ? from + 1 : from, to, f, at);
    if (minus && v == 0 || (minus ? Long.compareUnsigned(v, Long.MIN_VALUE) > 0 : v < 0)) {
      throw new KeyException(f, Reason.MALFORMED, at, "not a number of 64 bits");
    }
    return minus ? -v : v;
  }

  static void putHex(byte[] out, int at, long v, int n) {
    for (int i = n - 1; i >= 0; i--) {
      out[at + i] = (byte) "0123456789abcdef".charAt((int) v & 15);
      v >>>= 4;
    }
  }

  static long hex(byte[] b, int from, int to, Field f, int at) {
    long v = 0;
    for (int i = from; i < to; i++) {
      int d = "0123456789abcdef".indexOf(b[i] & 0xff);
      if (d < 0) throw new KeyException(f, Reason.MALFORMED, at, "not hexadecimal digits in lower case");
      v = v << 4 | d;
    }
    return v;
  }

  /** n hexadecimal characters of a digest, from character from on. */
  static void putHexOf(byte[] out, int at, byte[] d, int from, int n, String digits) {
    for (int i = 0; i < n; i++) out[at + i] = (byte) digits.charAt(d[(from + i) / 2] >> ((from + i) % 2 == 0 ? 4 : 0) & 15);
  }

  static byte[] uuid(Field f, byte[] b) {
    if (b.length != 36) throw new KeyException(f, Reason.LENGTH, -1, b.length + " bytes, exactly 36");
    byte[] out = new byte[16];
    int p = 0;
    for (int i = 0; i < 36; i++) {
      boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
      int d = dash ? (b[i] == '-' ? 0 : -1) : "0123456789abcdef".indexOf(b[i] & 0xff);
      if (d < 0) throw new KeyException(f, Reason.RANGE, -1, "not 8-4-4-4-12 hexadecimal digits in lower case");
      if (dash) continue;
      out[p / 2] |= d << (p % 2 == 0 ? 4 : 0);
      p++;
    }
    return out;
  }

  static byte[] uuidText(byte[] b) {
    byte[] out = new byte[36];
    int p = 0;
    for (int i = 0; i < 16; i++) {
      if (i == 4 || i == 6 || i == 8 || i == 10) out[p++] = '-';
      putHex(out, p, b[i] & 0xff, 2);
      p += 2;
    }
    return out;
  }

  /** IEEE bits as a number that sorts as the floats do. */
  static long orderFloat(long bits, int size) {
    long sign = 1L << 8 * size - 1;
    long mask = size == 8 ? -1L : (1L << 8 * size) - 1;
    return ((bits & sign) != 0 ? ~bits : bits | sign) & mask;
  }

  static long rawFloat(long v, int size) {
    long sign = 1L << 8 * size - 1;
    long mask = size == 8 ? -1L : (1L << 8 * size) - 1;
    v &= mask;
    return ((v & sign) != 0 ? v ^ sign : ~v) & mask;
  }

  /** The first elements of year, month, day, hour, minute, second of a local time, as one number. */
  static long dateNumber(long sec, int elements) {
    long days = Math.floorDiv(sec, 86400L);
    long rest = sec - days * 86400L;
    LocalDate d = LocalDate.ofEpochDay(days);
    long n = d.getYear();
    if (elements > 1) n = n * 100 + d.getMonthValue();
    if (elements > 2) n = n * 100 + d.getDayOfMonth();
    if (elements > 3) n = n * 100 + rest / 3600;
    if (elements > 4) n = n * 100 + rest / 60 % 60;
    if (elements > 5) n = n * 100 + rest % 60;
    return n;
  }

  /** Undoes dateNumber. What no calendar has, or lies before 1970, is refused. */
  static long dateSeconds(long number, int elements, Field f, int at) {
    long[] e = {1970, 1, 1, 0, 0, 0};
    long n = number;
    boolean ok = n >= 0 && n <= 99991231235959L;
    for (int i = elements - 1; i > 0; i--) {
      e[i] = n % 100;
      n /= 100;
    }
    e[0] = n;
    ok = ok && n >= 1970 && n <= 9999 && e[1] >= 1 && e[1] <= 12 && e[2] >= 1 && e[3] <= 23 && e[4] <= 59 && e[5] <= 59;
    if (!ok || e[2] > YearMonth.of((int) n, (int) e[1]).lengthOfMonth()) throw new KeyException(f, Reason.MALFORMED, at, "no date");
    return LocalDate.of((int) n, (int) e[1], (int) e[2]).toEpochDay() * 86400 + e[3] * 3600 + e[4] * 60 + e[5];
  }

  /** A date's digits where pattern has 0. With desc each character is complemented: 9 for 0. */
  static void putDate(byte[] out, int at, long n, String pattern, boolean desc) {
    for (int i = pattern.length() - 1; i >= 0; i--) {
      int c = pattern.charAt(i);
      if (c == '0') {
        c += n % 10;
        n /= 10;
      }
      out[at + i] = (byte) (desc ? '0' + '9' - c : c);
    }
  }

  static byte[] date(long n, String pattern) {
    byte[] out = new byte[pattern.length()];
    putDate(out, 0, n, pattern, false);
    return out;
  }

  static long readDate(byte[] b, int from, String pattern, boolean desc, Field f, int at) {
    long n = 0;
    for (int i = 0; i < pattern.length(); i++) {
      int c = b[from + i] & 0xff, p = pattern.charAt(i);
      if (desc) c = ('0' + '9' - c) & 0xff;
      if (p == '0' ? c < '0' || c > '9' : c != p) throw new KeyException(f, Reason.MALFORMED, at, "no date");
      if (p == '0') n = n * 10 + c - '0';
    }
    return n;
  }

  /** MurmurHash3_x86_32: words are little-endian, and the last bytes have no sign. */
  static int murmur(int seed, byte[] b) {
    int h = seed, n = b.length, i = 0;
    for (; i + 4 <= n; i += 4) {
      int k = b[i] & 0xff | (b[i + 1] & 0xff) << 8 | (b[i + 2] & 0xff) << 16 | b[i + 3] << 24;
      h ^= Integer.rotateLeft(k * 0xcc9e2d51, 15) * 0x1b873593;
      h = Integer.rotateLeft(h, 13) * 5 + 0xe6546b64;
    }
    int k = 0;
    for (int j = n - 1; j >= i; j--) k = k << 8 | b[j] & 0xff;
    h ^= Integer.rotateLeft(k * 0xcc9e2d51, 15) * 0x1b873593;
    h ^= n;
    h = (h ^ h >>> 16) * 0x85ebca6b;
    h = (h ^ h >>> 13) * 0xc2b2ae35;
    return h ^ h >>> 16;
  }

  /** MurmurHash3_x64_128: two words, big-endian. */
  static byte[] murmur128(int seed, byte[] b) {
    final long c1 = 0x87c37b91114253d5L, c2 = 0x4cf5ad432745937fL;
    long h1 = seed & 0xFFFFFFFFL, h2 = h1;
    int n = b.length, i = 0;
    for (; i + 16 <= n; i += 16) {
      h1 ^= Long.rotateLeft(little(b, i, 8) * c1, 31) * c2;
      h1 = (Long.rotateLeft(h1, 27) + h2) * 5 + 0x52dce729;
      h2 ^= Long.rotateLeft(little(b, i + 8, 8) * c2, 33) * c1;
      h2 = (Long.rotateLeft(h2, 31) + h1) * 5 + 0x38495ab5;
    }
    if (n - i > 8) h2 ^= Long.rotateLeft(little(b, i + 8, n - i - 8) * c2, 33) * c1;
    if (n > i) h1 ^= Long.rotateLeft(little(b, i, Math.min(8, n - i)) * c1, 31) * c2;
    h1 ^= n;
    h2 ^= n;
    h1 += h2;
    h2 += h1;
    h1 = mix(h1);
    h2 = mix(h2);
    h1 += h2;
    h2 += h1;
    return concat(be(h1, 8), be(h2, 8));
  }

  private static long mix(long k) {
    k = (k ^ k >>> 33) * 0xff51afd7ed558ccdL;
    k = (k ^ k >>> 33) * 0xc4ceb9fe1a85ec53L;
    return k ^ k >>> 33;
  }

  /** n bytes as a number, the lowest first. */
  private static long little(byte[] b, int at, int n) {
    long v = 0;
    for (int i = n - 1; i >= 0; i--) v = v << 8 | (b[at + i] & 0xff);
    return v;
  }

  /** org.apache.hadoop.hbase.util.MurmurHash, whose last bytes have a sign. */
  static int hbaseMurmur(int seed, byte[] b) {
    final int m = 0x5bd1e995;
    int h = seed ^ b.length, i = 0;
    for (; i + 4 <= b.length; i += 4) {
      int k = (int) little(b, i, 4) * m;
      k ^= k >>> 24;
      h = h * m ^ k * m;
    }
    if (i < b.length) {
      for (int j = i; j < b.length; j++) h ^= b[j] << 8 * (j - i);
      h *= m;
    }
    h ^= h >>> 13;
    h *= m;
    return h ^ h >>> 15;
  }

  /** org.apache.hadoop.hbase.util.JenkinsHash, which is hashlittle of lookup3. */
  static int hbaseJenkins(int seed, byte[] p) {
    int a = 0xdeadbeef + p.length + seed, b = a, c = a, i = 0;
    for (; p.length - i > 12; i += 12) {
      a += (int) little(p, i, 4);
      b += (int) little(p, i + 4, 4);
      c += (int) little(p, i + 8, 4);
      a = a - c ^ Integer.rotateLeft(c, 4);
      c += b;
      b = b - a ^ Integer.rotateLeft(a, 6);
      a += c;
      c = c - b ^ Integer.rotateLeft(b, 8);
      b += a;
      a = a - c ^ Integer.rotateLeft(c, 16);
      c += b;
      b = b - a ^ Integer.rotateLeft(a, 19);
      a += c;
      c = c - b ^ Integer.rotateLeft(b, 4);
      b += a;
    }
    if (p.length == 0) return c;
    byte[] last = Arrays.copyOf(Arrays.copyOfRange(p, i, p.length), 12);
    a += (int) little(last, 0, 4);
    b += (int) little(last, 4, 4);
    c += (int) little(last, 8, 4);
    c = (c ^ b) - Integer.rotateLeft(b, 14);
    a = (a ^ c) - Integer.rotateLeft(c, 11);
    b = (b ^ a) - Integer.rotateLeft(a, 25);
    c = (c ^ b) - Integer.rotateLeft(b, 16);
    a = (a ^ c) - Integer.rotateLeft(c, 4);
    b = (b ^ a) - Integer.rotateLeft(a, 14);
    return (c ^ b) - Integer.rotateLeft(b, 24);
  }

  static byte[] crc32(byte[] b) {
    CRC32 c = new CRC32();
    c.update(b, 0, b.length);
    return be(c.getValue(), 4);
  }

  static byte[] digest(String algorithm, byte[] b) {
    try {
      return MessageDigest.getInstance(algorithm).digest(b);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The first bytes of a digest as a number without a sign, mod n. */
  static long mod(byte[] d, int bytes, long n) {
    long r = 0;
    for (int i = 0; i < bytes; i++) r = (r << 8 | d[i] & 0xff) % n;
    return r;
  }
}
