package com.acme.bulk;

import com.acme.keys.RowKeys;
import com.acme.keys.TradesKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.MapReduceExtendedCell;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Loads CSV files: seller, at, order and price, a row a line. */
@Command(
    name = "load",
    description = {
      "Loads CSV files into a table, by HFiles.",
      "A line is seller, at (such as 2024-05-01T12:00:00Z), order and price. A first line of these names is passed over."
    },
    mixinStandardHelpOptions = true)
final class Load implements Callable<Integer> {
  private static final String HEADER = "seller,at,order,price";
  private static final byte[] FAMILY = Job.bytes("f");
  private static final byte[] PRICE = Job.bytes("price");

  @Mixin private Job job;

  @Option(names = "--table", required = true, description = "The table; it is created if it is not there.")
  private String table;

  @Option(names = "--regions", defaultValue = "16", description = "Of a table that is created: ${DEFAULT-VALUE}.")
  private int regions;

  @Parameters(arity = "1..*", paramLabel = "FILE")
  private List<String> files;

  /** A line becomes the key that the Go service writes for the same values. */
  static final class Lines
      extends Mapper<LongWritable, Text, ImmutableBytesWritable, MapReduceExtendedCell> {
    private static final CSVFormat FORMAT = CSVFormat.RFC4180;

    private Aside aside;
    private long written;

    @Override
    protected void setup(Context task) {
      aside = new Aside(task);
      written = task.getConfiguration().getLong("written", 0);
    }

    @Override
    protected void map(LongWritable at, Text line, Context task)
        throws IOException, InterruptedException {
      String text = line.toString();
      if (at.get() == 0 && text.equals(HEADER)) {
        return;
      }
      task.getCounter(Job.Count.READ).increment(1);
      try { // Text.toString makes other characters of what is none
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line.getBytes(), 0, line.getLength()));
      } catch (CharacterCodingException e) {
        refuse(task, "not UTF-8", text);
        return;
      }
      byte[] key;
      String price;
      try (CSVParser parser = CSVParser.parse(text, FORMAT)) {
        CSVRecord r = parser.iterator().next();
        if (r.size() != 4) {
          throw new IllegalArgumentException(r.size() + " columns, 4 are wanted: " + HEADER);
        }
        key =
            TradesKey.encode(
                r.get(0), TradesKey.atOf(Instant.parse(r.get(1))), Long.parseUnsignedLong(r.get(2)));
        price = r.get(3);
      } catch (RowKeys.KeyException
          | DateTimeParseException
          | NumberFormatException e) { // a value: the message names the field, or shows the text
        refuse(task, e.getMessage(), text);
        return;
      } catch (RuntimeException | IOException e) { // no line of CSV
        refuse(task, String.valueOf(e.getMessage()), text);
        return;
      }
      KeyValue cell = new KeyValue(key, FAMILY, PRICE, written, Job.bytes(price));
      task.getCounter(Job.Count.CELLS).increment(1);
      task.write(new ImmutableBytesWritable(key), new MapReduceExtendedCell(cell));
    }

    private void refuse(Context task, String reason, String line) throws IOException {
      task.getCounter(Job.Count.REFUSED).increment(1);
      aside.refuse(reason, line);
    }

    @Override
    protected void cleanup(Context task) throws IOException {
      aside.close();
    }
  }

  @Override
  public Integer call() throws Exception {
    Configuration conf = job.conf();
    conf.setLong("written", System.currentTimeMillis()); // the time of all cells
    TableName name = TableName.valueOf(table);
    try (Connection c = ConnectionFactory.createConnection(conf)) {
      create(c, name);
      job.makeWork(conf);
      org.apache.hadoop.mapreduce.Job mr =
          org.apache.hadoop.mapreduce.Job.getInstance(conf, "load " + table);
      mr.setInputFormatClass(TextInputFormat.class);
      for (String file : files) {
        FileInputFormat.addInputPath(mr, new Path(file));
      }
      mr.setMapperClass(Lines.class);
      job.writeHFiles(mr, c, name);
      Job.run(mr);
      long refused = job.report(mr, "lines");
      job.load(conf, c, name);
      return refused == 0 ? 0 : 1;
    }
  }

  /** The regions of a new table begin where the generated class says: each has as many buckets. */
  private void create(Connection c, TableName name) throws IOException {
    try (Admin admin = c.getAdmin()) {
      if (!admin.tableExists(name)) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build(),
            regions > 1 ? TradesKey.splits(regions) : null);
        System.out.printf("%s is created, with %d regions%n", name, regions);
      }
    }
  }
}
