/** Holds a class that rowkey gen printed to files of vectors. The files say what their lines mean. */
abstract class RowKeysVectors {
  abstract String fingerprint();

  /** The names of the fields. */
  abstract String[] fields();

  abstract byte[] encode(String[] w);

  /** The row of a key as a line has it. */
  abstract String decode(byte[] key);

  /** The ranges of the first values; null if no method gives them. */
  abstract List<RowKeys.Range> ranges(String[] w);

  abstract byte[][] splits(int regions);

  abstract int region(byte[] key, byte[][] starts);

  /** Java has no such value. */
  static final class NoValue extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Checks all files, and ends the program with 1 and the lines that differ, or prints the count. */
  static void main(RowKeysVectors of, String[] files) {
    int n = 0;
    try {
      for (String file : files) n += of.run(file);
    } catch (IOException e) { // its text is the name of the file
      System.err.println(e);
      System.exit(1);
    }
    if (n <= 0) {
      System.err.println("no vectors, or some differ");
      System.exit(1);
    }
    System.out.println(n + " vectors");
  }

  /** The number of lines checked, or a negative number if some differ, which are printed. */
  final int run(String file) throws IOException {
    int n = 0, number = 0, wrong = 0;
    try (BufferedReader in = Files.newBufferedReader(Paths.get(file), StandardCharsets.UTF_8)) {
      for (String line; (line = in.readLine()) != null; ) {
        number++;
        if (line.startsWith("#")) {
          if (number != 2 || line.startsWith("# " + fingerprint() + " ")) continue;
          System.err.println(file + " is of another schema: " + line);
          return Integer.MIN_VALUE / 1024;
        }
        String fault;
        try {
          fault = check(line.split(" "));
          n++;
        } catch (NoValue e) {
          continue;
        } catch (RuntimeException e) {
          fault = e.toString();
        }
        if (fault != null && ++wrong <= 20) {
          System.err.println(file + ":" + number + ": " + fault + "\n" + line.substring(0, Math.min(300, line.length())));
        }
      }
    }
    return wrong > 0 ? Integer.MIN_VALUE / 1024 : n;
  }

  private boolean half; // whether half a surrogate pair was tried

  private String check(String[] w) {
    switch (w[0]) {
      case "key":
      case "write":
      case "read":
        return key(w);
      case "refused":
        try {
          return "encoded as " + hex(encode(Arrays.copyOfRange(w, 3, w.length)));
        } catch (RowKeys.KeyException e) {
          return same(e, w[1], w[2], "-1");
        }
      case "broken":
        try {
          return "decoded as" + decode(bytes(w[1]));
        } catch (RowKeys.KeyException e) {
          return same(e, w[2], w[3], w[4]);
        }
      case "ranges":
        {
          List<RowKeys.Range> all = ranges(Arrays.copyOfRange(w, 3, w.length));
          StringBuilder b = new StringBuilder();
          for (RowKeys.Range r : all) b.append(',').append(hex(r.start)).append('-').append(hex(r.stop));
          if (all.isEmpty()) b.append(",-");
          return b.toString().equals("," + w[2]) ? null : "ranges " + b;
        }
      case "noranges":
        try {
          ranges(Arrays.copyOfRange(w, 4, w.length));
          return "there are ranges";
        } catch (RowKeys.KeyException e) {
          return same(e, w[2], w[3], "-1");
        }
      case "splits":
        return splitsOf(w);
      default:
        return "no such line";
    }
  }

  private String key(String[] w) {
    byte[] key = bytes(w[1]);
    StringBuilder row = new StringBuilder();
    boolean text = true;
    for (int i = 2; i < w.length; i++) {
      row.append(' ').append(w[i]);
      if (w[i].charAt(0) == 's') text = false;
    }
    if (!text) { // bytes of which Java has no String
      try {
        if (!w[0].equals("write")) return "decoded as" + decode(key);
      } catch (RowKeys.KeyException e) {
        return e.reason == RowKeys.Reason.UTF8 ? null : e.toString();
      }
      throw new NoValue();
    }
    String[] values = Arrays.copyOfRange(w, 2, w.length);
    if (!w[0].equals("read") && !Arrays.equals(encode(values), key)) return "encoded as " + hex(encode(values));
    if (w[0].equals("write")) return null;
    String back = decode(key);
    if (!back.equals(row.toString())) return "decoded as" + back;
    for (int i = 0; i < values.length && !half && w[0].equals("key"); i++) {
      if (values[i].charAt(0) != '"') continue;
      String[] broken = values.clone();
      broken[i] = "\"\\ud800\"";
      try {
        encode(broken);
        return "half a surrogate pair was encoded";
      } catch (NoValue e) { // a number
        continue;
      } catch (RowKeys.KeyException e) {
        if (e.reason != RowKeys.Reason.UTF8 || !e.field.equals(fields()[i])) return e.toString();
      }
    }
    half |= w[0].equals("key");
    return null;
  }

  private String splitsOf(String[] w) {
    byte[][] all;
    try {
      all = splits(Integer.parseInt(w[1]));
    } catch (RowKeys.KeyException e) {
      if (e.reason == RowKeys.Reason.SPLITS) throw new NoValue(); // Java lists fewer leading values than Go
      return e.toString();
    }
    StringBuilder b = new StringBuilder();
    for (byte[] k : all) b.append(b.length() == 0 ? "" : ",").append(hex(k));
    if (!(b.length() == 0 ? "-" : b.toString()).equals(w[2])) return "splits " + b;
    byte[][] starts = new byte[all.length + 1][];
    starts[0] = new byte[0];
    System.arraycopy(all, 0, starts, 1, all.length);
    for (int i = 0; i < all.length; i++) {
      if (region(all[i], all) != i + 1 || region(all[i], starts) != i + 1) return "region of split " + i;
    }
    return region(new byte[0], starts) == 0 ? null : "region of the first key";
  }

  private static String same(RowKeys.KeyException e, String field, String reason, String at) {
    String f = e.field.isEmpty() ? "-" : e.field;
    return f.equals(field) && e.reason.name().equals(reason) && Integer.toString(e.offset).equals(at)
        ? null
        : "refused with " + f + " " + e.reason + " " + e.offset + ": " + e.getMessage();
  }

  // Values, read and written. The first letter is the type.

  static String text(String w) {
    if (w.equals("-")) return null;
    if (w.charAt(0) != '"') throw new NoValue();
    StringBuilder b = new StringBuilder();
    for (int i = 1; i < w.length() - 1; i++) {
      if (w.charAt(i) != '\\') {
        b.append(w.charAt(i));
        continue;
      }
      b.append((char) Integer.parseInt(w.substring(i + 2, i + 6), 16));
      i += 5;
    }
    return b.toString();
  }

  static String said(String s) {
    if (s == null) return " -";
    StringBuilder b = new StringBuilder(" \"");
    for (char c : s.toCharArray()) {
      if (c > ' ' && c < 0x7f && c != '"' && c != '\\') b.append(c);
      else b.append(String.format("\\u%04x", (int) c));
    }
    return b.append('"').toString();
  }

  static BigDecimal decimal(String w) {
    if (w.equals("-")) return null;
    try {
      return new BigDecimal(text(w));
    } catch (NumberFormatException e) {
      throw new NoValue();
    }
  }

  static String said(BigDecimal x) {
    return x == null ? " -" : said(RowKeys.decimalText(x));
  }

  static byte[] binary(String w) {
    if (w.equals("-")) return null;
    return bytes(w.substring(1));
  }

  static String said(byte[] b) {
    return b == null ? " -" : " x" + hex(b);
  }

  static long unsigned(String w) {
    return Long.parseUnsignedLong(w.substring(1));
  }

  static String saidUnsigned(long u) {
    return " u" + Long.toUnsignedString(u);
  }

  static long signed(String w) {
    return Long.parseLong(w.substring(1));
  }

  static String saidSigned(long i) {
    return " i" + i;
  }

  static boolean bool(String w) {
    return Boolean.parseBoolean(w.substring(1));
  }

  static String said(boolean b) {
    return " b" + b;
  }

  static double number(String w) {
    return Double.longBitsToDouble(Long.parseUnsignedLong(w.substring(1), 16));
  }

  static float number4(String w) {
    double d = number(w);
    if (d == d && (float) d != d) throw new NoValue();
    return (float) d;
  }

  static String said(double d) {
    return String.format(" f%016x", Double.doubleToRawLongBits(d));
  }

  static Instant instant(String w) {
    int dot = w.indexOf('.');
    try {
      return Instant.ofEpochSecond(Long.parseLong(w.substring(1, dot)), Long.parseLong(w.substring(dot + 1)));
    } catch (DateTimeException | ArithmeticException e) {
      throw new NoValue();
    }
  }

  static String said(Instant t) {
    return String.format(" t%d.%09d", t.getEpochSecond(), t.getNano());
  }

  static byte[] bytes(String hex) {
    byte[] b = new byte[hex.length() / 2];
    for (int i = 0; i < b.length; i++) b[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
    return b;
  }

  static String hex(byte[] b) {
    StringBuilder s = new StringBuilder();
    for (byte c : b) s.append(Character.forDigit(c >> 4 & 15, 16)).append(Character.forDigit(c & 15, 16));
    return s.toString();
  }
}
