import java.io.DataInputStream;
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.thrift2.generated.TColumnValue;
import org.apache.hadoop.hbase.thrift2.generated.THBaseService;
import org.apache.hadoop.hbase.thrift2.generated.TPut;
import org.apache.hadoop.hbase.thrift2.generated.TResult;
import org.apache.hadoop.hbase.thrift2.generated.TScan;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TSocket;

/**
 * The rows of figures, written and read by HBase's own client, and by its Thrift2 client, which shows what the gateway can do.
 * Arguments: what is done (put, scan, thrift-put or thrift-scan), the table, the file of keys (each behind two bytes of its
 * length), how many calls at the same time, how often, and the gateway's host:port. Each run is a line: its seconds and rows.
 */
class Figures {
  static final byte[] FAMILY = {'f'}, QUALIFIER = {'q'}, VALUE = "0123456789abcdef0123456789abcdef".getBytes();
  static final int BATCH = 1000, BUCKETS = 16;

  static String gateway;
  static byte[] table;

  public static void main(String[] args) throws Exception {
    table = args[1].getBytes();
    int parallel = Integer.parseInt(args[3]), runs = Integer.parseInt(args[4]);
    gateway = args[5];
    List<byte[]> keys = args[0].endsWith("put") ? keys(args[2]) : List.of();
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
      for (int i = 0; i < runs; i++) {
        long began = System.nanoTime();
        long rows = switch (args[0]) {
          case "put" -> put(connection, keys, parallel);
          case "scan" -> scan(connection);
          case "thrift-put" -> thriftPut(keys, parallel);
          case "thrift-scan" -> thriftScan(parallel);
          default -> throw new IllegalArgumentException(args[0]);
        };
        System.out.println((System.nanoTime() - began) / 1e9 + " " + rows);
      }
    }
  }

  static List<byte[]> keys(String file) throws Exception {
    List<byte[]> keys = new ArrayList<>();
    try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(file)))) {
      while (in.available() > 0) {
        byte[] key = new byte[in.readUnsignedShort()];
        in.readFully(key);
        keys.add(key);
      }
    }
    return keys;
  }

  /** Runs tasks, so many at the same time, and adds up the rows that they say. */
  static long all(List<Callable<Integer>> tasks, int parallel) throws Exception {
    var pool = Executors.newFixedThreadPool(parallel);
    try {
      long rows = 0;
      for (var done : pool.invokeAll(tasks)) {
        rows += done.get();
      }
      return rows;
    } finally {
      pool.shutdown();
    }
  }

  static List<List<byte[]>> batches(List<byte[]> keys) {
    List<List<byte[]>> batches = new ArrayList<>();
    for (int i = 0; i < keys.size(); i += BATCH) {
      batches.add(keys.subList(i, Math.min(i + BATCH, keys.size())));
    }
    return batches;
  }

  static long put(Connection connection, List<byte[]> keys, int parallel) throws Exception {
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (var batch : batches(keys)) {
      tasks.add(() -> {
        List<Put> puts = new ArrayList<>();
        for (byte[] key : batch) {
          puts.add(new Put(key).addColumn(FAMILY, QUALIFIER, VALUE));
        }
        try (var t = connection.getTable(TableName.valueOf(table))) {
          t.put(puts);
        }
        return batch.size();
      });
    }
    return all(tasks, parallel);
  }

  /** A bucket being scanned, and its row. */
  record Head(ResultScanner scanner, Result row) implements Comparable<Head> {
    public int compareTo(Head other) {
      byte[] a = row.getRow(), b = other.row.getRow();
      return java.util.Arrays.compareUnsigned(a, 1, a.length, b, 1, b.length);
    }
  }

  /** Scans all buckets and merges them by the key behind the salt. */
  static long scan(Connection connection) throws Exception {
    try (var t = connection.getTable(TableName.valueOf(table))) {
      var heads = new PriorityQueue<Head>();
      for (int bucket = 0; bucket < BUCKETS; bucket++) {
        var scan = new Scan().withStartRow(new byte[] {(byte) bucket}).withStopRow(new byte[] {(byte) (bucket + 1)}).setCaching(BATCH);
        scan.setAsyncPrefetch(true);
        var scanner = t.getScanner(scan);
        var row = scanner.next();
        if (row != null) {
          heads.add(new Head(scanner, row));
        }
      }
      long rows = 0;
      while (!heads.isEmpty()) {
        var head = heads.poll();
        rows++;
        var next = head.scanner().next();
        if (next != null) {
          heads.add(new Head(head.scanner(), next));
        } else {
          head.scanner().close();
        }
      }
      return rows;
    }
  }

  static final ThreadLocal<THBaseService.Client> CLIENT = ThreadLocal.withInitial(() -> {
    try {
      String[] at = gateway.split(":");
      var socket = new TSocket(at[0], Integer.parseInt(at[1]));
      socket.open();
      return new THBaseService.Client(new TBinaryProtocol(socket));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  });

  static long thriftPut(List<byte[]> keys, int parallel) throws Exception {
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (var batch : batches(keys)) {
      tasks.add(() -> {
        List<TPut> puts = new ArrayList<>();
        for (byte[] key : batch) {
          var value = new TColumnValue(ByteBuffer.wrap(FAMILY), ByteBuffer.wrap(QUALIFIER), ByteBuffer.wrap(VALUE));
          puts.add(new TPut(ByteBuffer.wrap(key), List.of(value)));
        }
        CLIENT.get().putMultiple(ByteBuffer.wrap(table), puts);
        return batch.size();
      });
    }
    return all(tasks, parallel);
  }

  /** Reads the buckets, each by calls of its own, and merges nothing: it is what the gateway gives. */
  static long thriftScan(int parallel) throws Exception {
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      byte[] first = {(byte) bucket}, stop = {(byte) (bucket + 1)};
      tasks.add(() -> {
        int rows = 0;
        for (byte[] start = first;;) {
          var scan = new TScan().setStartRow(start).setStopRow(stop).setCaching(BATCH).setLimit(BATCH);
          List<TResult> got = CLIENT.get().getScannerResults(ByteBuffer.wrap(table), scan, BATCH);
          rows += got.size();
          if (got.size() < BATCH) {
            return rows;
          }
          byte[] last = got.get(got.size() - 1).getRow();
          start = java.util.Arrays.copyOf(last, last.length + 1);
        }
      });
    }
    return all(tasks, parallel);
  }
}
