package bench;

import com.acme.keys.TradesKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Keys of [salt16(seller)][seller]['_'][max-ms(at)][order:8]: the printed class, and code by hand with the same checks. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime) // of 1024 keys: the median does not see what else the machine does
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class KeysBench {
  private static final int LOT = 1024;

  /** A row. */
  public static final class Row {
    final String seller;
    final long at;
    final long order;

    Row(String seller, long at, long order) {
      this.seller = seller;
      this.at = at;
      this.order = order;
    }
  }

  private final Row[] rows = new Row[LOT];
  private final byte[][] keys = new byte[LOT][];

  /** Both sides must make the same keys, and read the same rows. */
  @Setup
  public void rows() {
    for (int i = 0; i < LOT; i++) {
      Row r = rows[i] = new Row("seller-" + i * 7919 % 1000, 1684203630000L + i, i);
      keys[i] = writeByHand(r);
      if (!Arrays.equals(keys[i], TradesKey.encode(r.seller, r.at, r.order))) throw new AssertionError("row " + i);
      TradesKey printed = TradesKey.decode(keys[i]);
      Row hand = readByHand(keys[i]);
      if (!printed.seller.equals(hand.seller) || printed.at != hand.at || printed.order != hand.order) throw new AssertionError("key " + i);
    }
  }

  @Benchmark
  public void writePrinted(Blackhole hole) {
    for (Row r : rows) hole.consume(TradesKey.encode(r.seller, r.at, r.order));
  }

  @Benchmark
  public void writeByHand(Blackhole hole) {
    for (Row r : rows) hole.consume(writeByHand(r));
  }

  @Benchmark
  public void readPrinted(Blackhole hole) {
    for (byte[] key : keys) hole.consume(TradesKey.decode(key));
  }

  @Benchmark
  public void readByHand(Blackhole hole) {
    for (byte[] key : keys) hole.consume(readByHand(key));
  }

  private static byte[] writeByHand(Row r) {
    byte[] seller = r.seller.getBytes(StandardCharsets.UTF_8);
    for (byte b : seller) if (b == '_') throw new IllegalArgumentException("seller");
    if (r.at < 0) throw new IllegalArgumentException("at");
    int n = seller.length + 18;
    if (n > 32767) throw new IllegalArgumentException("length");
    ByteBuffer out = ByteBuffer.allocate(n);
    out.put((byte) Integer.remainderUnsigned(murmur(seller), 16)).put(seller).put((byte) '_').putLong(Long.MAX_VALUE - r.at).putLong(r.order);
    return out.array();
  }

  private static Row readByHand(byte[] key) {
    if (key.length < 18 || key.length > 32767) throw new IllegalArgumentException("length");
    int end = 1;
    while (end < key.length && key[end] != '_') end++;
    if (key.length - end != 17) throw new IllegalArgumentException("length");
    byte[] seller = Arrays.copyOfRange(key, 1, end);
    ByteBuffer in = ByteBuffer.wrap(key);
    long at = Long.MAX_VALUE - in.getLong(end + 1);
    if (at < 0) throw new IllegalArgumentException("at");
    if (key[0] != Integer.remainderUnsigned(murmur(seller), 16)) throw new IllegalArgumentException("salt");
    String text = new String(seller, StandardCharsets.UTF_8);
    if (text.indexOf('\ufffd') >= 0) throw new IllegalArgumentException("seller");
    return new Row(text, at, in.getLong(end + 9));
  }

  private static int murmur(byte[] b) {
    int h = 0;
    int i = 0;
    for (; i + 4 <= b.length; i += 4) {
      int k = b[i] & 0xff | (b[i + 1] & 0xff) << 8 | (b[i + 2] & 0xff) << 16 | b[i + 3] << 24;
      h ^= Integer.rotateLeft(k * 0xcc9e2d51, 15) * 0x1b873593;
      h = Integer.rotateLeft(h, 13) * 5 + 0xe6546b64;
    }
    int k = 0;
    for (int j = b.length - 1; j >= i; j--) k = k << 8 | b[j] & 0xff;
    h ^= Integer.rotateLeft(k * 0xcc9e2d51, 15) * 0x1b873593;
    h ^= b.length;
    h = (h ^ h >>> 16) * 0x85ebca6b;
    h = (h ^ h >>> 13) * 0xc2b2ae35;
    return h ^ h >>> 16;
  }
}
