import java.io.BufferedReader;
import java.io.InputStreamReader;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What Thrift2 has no call for, by HBase's own client. Commands come in, one a line; each is answered by a line that begins
 * with "ok" or "failed". Row keys are in hexadecimal. It ends with its input.
 */
class AdminShell {
  public static void main(String[] args) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Admin admin = connection.getAdmin();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in))) {
      for (String line; (line = in.readLine()) != null;) {
        try {
          System.out.println("ok " + answer(connection, admin, line.split(" ")));
        } catch (Exception e) {
          System.out.println("failed " + String.valueOf(e).replace('\n', ' '));
        }
      }
    }
  }

  static String answer(Connection connection, Admin admin, String[] words) throws Exception {
    var table = TableName.valueOf(words[1]);
    switch (words[0]) {
      case "split": { // TABLE ROW: the row begins the second half
        var row = Bytes.fromHex(words[2]);
        var region = connection.getRegionLocator(table).getRegionLocation(row, true).getRegion();
        admin.splitRegionAsync(region.getRegionName(), row).get();
        return "";
      }
      case "move": { // TABLE ROW: its region goes to another server
        var region = connection.getRegionLocator(table).getRegionLocation(Bytes.fromHex(words[2]), true);
        for (var server : admin.getRegionServers()) {
          if (!server.equals(region.getServerName())) {
            admin.move(region.getRegion().getEncodedNameAsBytes(), server);
            return server.getAddress().toString();
          }
        }
        throw new IllegalStateException("there is one region server");
      }
      case "flush": // TABLE: from memory to files
        admin.flush(table);
        return "";
      case "snapshot": // TABLE NAME
        admin.snapshot(words[2], table);
        return "";
      case "compact": { // TABLE: one file of each family, and what is deleted forgotten
        admin.flush(table);
        admin.majorCompact(table);
        boolean seen = false;
        for (int i = 0; i < 200 && !(seen && admin.getCompactionState(table) == CompactionState.NONE) && (seen || i < 40); i++) {
          seen = seen || admin.getCompactionState(table) != CompactionState.NONE;
          Thread.sleep(50);
        }
        return "";
      }
      case "writes": { // TABLE: SERVER=REQUESTS for each region server
        var counts = new StringBuilder();
        for (var server : admin.getRegionServers()) {
          long writes = 0;
          for (var region : admin.getRegionMetrics(server, table)) {
            writes += region.getWriteRequestCount();
          }
          counts.append(server.getAddress()).append('=').append(writes).append(' ');
        }
        return counts.toString().trim();
      }
      case "create": { // TABLE FLUSH MAX: one region, which splits as HBase has it by default, without chance
        admin.createTable(TableDescriptorBuilder.newBuilder(table).setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setMemStoreFlushSize(Long.parseLong(words[2])).setMaxFileSize(Long.parseLong(words[3]))
            .setValue("hbase.hregion.max.filesize.jitter", "0").build());
        return "";
      }
      case "regions": { // TABLE: START=REQUESTS to write, for each region; the first starts with -
        var counts = new StringBuilder();
        for (var server : admin.getRegionServers()) {
          for (var region : admin.getRegionMetrics(server, table)) {
            var start = Bytes.toHex(RegionInfo.getStartKey(region.getRegionName()));
            counts.append(start.isEmpty() ? "-" : start).append('=').append(region.getWriteRequestCount()).append(' ');
          }
        }
        return counts.toString().trim();
      }
      case "scanned": { // TABLE START STOP: rows that the servers read for a scan, by its metrics; - is no bound
        long rows = 0;
        var scan = new Scan().setScanMetricsEnabled(true).setCaching(1000);
        if (!words[2].equals("-")) scan.withStartRow(Bytes.fromHex(words[2]));
        if (!words[3].equals("-")) scan.withStopRow(Bytes.fromHex(words[3]));
        try (var t = connection.getTable(table); var scanner = t.getScanner(scan)) {
          for (var row : scanner) {
            rows++;
          }
          var scanned = scanner.getScanMetrics().getMetricsMap().get("ROWS_SCANNED");
          return scanned + " " + rows;
        }
      }
      default:
        throw new IllegalArgumentException("no command " + words[0]);
    }
  }
}
