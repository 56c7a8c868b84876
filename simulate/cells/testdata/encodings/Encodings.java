// Writes testdata/encodings.jsonl: the bytes that HBase's own data block
// encoders make of random cells, for TestEncodings.
//
//   javac -cp JARS Encodings.java && java -cp JARS:. Encodings > encodings.jsonl
//
// JARS are those of hbase-common 2.6.1-hadoop3 and what it needs.

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.encoding.HFileBlockEncodingContext;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.util.Bytes;

public class Encodings {
  static final int HEADER = 2 + 4; // a block begins with the number of its encoding and its size before it

  static int size(DataBlockEncoding how, List<KeyValue> cells) throws Exception {
    HFileContext context = new HFileContextBuilder().withIncludesMvcc(false).withIncludesTags(false).build();
    DataBlockEncoder encoder = how.getEncoder();
    HFileBlockEncodingContext into = encoder.newDataBlockEncodingContext(
      new Configuration(false), how, HConstants.HFILEBLOCK_DUMMY_HEADER, context);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    encoder.startBlockEncoding(into, out);
    int before = bytes.size();
    for (KeyValue cell : cells) {
      encoder.encode(cell, into, out);
    }
    out.flush();
    if (before != HEADER) {
      throw new IllegalStateException("a block begins with " + before + " bytes");
    }
    return bytes.size() - before;
  }

  public static void main(String[] args) throws Exception {
    Random random = new Random(20230516);
    String[] names = {"q", "qualifier", "qualities", "", "z"};
    for (int n = 0; n < 300; n++) {
      // Rows in key order: of one length or of several, alike in front or not.
      boolean fixed = random.nextBoolean();
      int length = 1 + random.nextInt(n % 10 == 0 ? 600 : 24);
      TreeSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
      for (int i = 1 + random.nextInt(12); i > 0; i--) {
        byte[] row = new byte[fixed ? length : 1 + random.nextInt(length)];
        for (int j = 0; j < row.length; j++) {
          row[j] = (byte) (random.nextInt(8) == 0 ? random.nextInt(256) : 'a');
        }
        rows.add(row);
      }
      byte[] family = new byte[1 + random.nextInt(3)];
      java.util.Arrays.fill(family, (byte) 'f');
      TreeSet<String> qualifiers = new TreeSet<>();
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        qualifiers.add(names[random.nextInt(names.length)]);
      }
      int value = random.nextInt(n % 7 == 0 ? 300 : 20);

      List<KeyValue> cells = new ArrayList<>();
      StringBuilder listed = new StringBuilder();
      long none = 0;
      int r = 0;
      for (byte[] row : rows) {
        // Rows' times share their first 4 bytes, those of a row's cells 7.
        long at = 0x0000018d00000000L | (r++ % 2 == 0 ? 0x10000000L : 0x20000000L);
        int q = 0;
        for (String qualifier : qualifiers) {
          byte[] v = new byte[value];
          random.nextBytes(v);
          if (value > 0) {
            v[0] = (byte) cells.size(); // differs from the one before
          }
          KeyValue cell = new KeyValue(row, family, Bytes.toBytes(qualifier), at + q++, KeyValue.Type.Put, v);
          none += cell.getLength();
          cells.add(cell);
        }
        listed.append(listed.length() == 0 ? "" : ",").append('"').append(Bytes.toHex(row)).append('"');
      }
      System.out.printf("{\"rows\":[%s],\"family\":%d,\"qualifiers\":[\"%s\"],\"value\":%d,\"none\":%d,\"prefix\":%d,\"fastDiff\":%d}%n",
        listed, family.length, String.join("\",\"", qualifiers), value, none,
        size(DataBlockEncoding.PREFIX, cells), size(DataBlockEncoding.FAST_DIFF, cells));
    }
  }
}
