package com.acme.bulk;

import com.acme.keys.TradesKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.mapreduce.HFileOutputFormat2;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.MapReduceExtendedCell;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import picocli.CommandLine.Option;

/** What the jobs share: where HBase is, HFiles for the regions of a table, and loading them. */
final class Job {
  /** Rows and lines by what became of them. */
  enum Count {
    READ,
    REFUSED,
    CELLS
  }

  @Option(
      names = "--zookeeper",
      paramLabel = "HOST:PORT",
      description = "HBase's ZooKeeper; without it hbase-site.xml on the class path says where it is.")
  private String zookeeper;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      required = true,
      description = "A folder that this job makes, for HFiles and for what it refuses. It lies in HBase's file system.")
  String work;

  Configuration conf() {
    Configuration conf = HBaseConfiguration.create();
    if (zookeeper != null) {
      String[] at = zookeeper.split(":");
      conf.set("hbase.zookeeper.quorum", at[0]);
      if (at.length > 1) {
        conf.set("hbase.zookeeper.property.clientPort", at[1]);
      }
    }
    // A cell's TTL is a tag, which clients do not see without this codec.
    conf.set("hbase.client.rpc.codec", "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags");
    // A second try of a task would write the refused lines of the first one once more.
    conf.setBoolean("mapreduce.map.speculative", false);
    conf.setBoolean("mapreduce.fileoutputcommitter.marksuccessfuljobs", false);
    conf.set("work", work);
    return conf;
  }

  Path hfiles() {
    return new Path(work, "hfiles");
  }

  Path refused() {
    return new Path(work, "refused");
  }

  /** Makes the folder of the job; one that is there already belongs to another run. */
  FileSystem makeWork(Configuration conf) throws IOException {
    Path dir = new Path(work);
    FileSystem fs = dir.getFileSystem(conf);
    if (fs.exists(dir)) {
      throw new IOException(work + " is there already: name another folder, or remove this one");
    }
    fs.mkdirs(dir);
    return fs;
  }

  /**
   * Has the job write HFiles, of which none spans two regions that the table has now. What it maps
   * to are cells: of Puts, HBase's reducer would ask ZooKeeper for labels that nobody uses.
   */
  void writeHFiles(org.apache.hadoop.mapreduce.Job job, Connection c, TableName table)
      throws IOException {
    job.setJarByClass(Job.class);
    job.setMapOutputKeyClass(ImmutableBytesWritable.class);
    job.setMapOutputValueClass(MapReduceExtendedCell.class);
    FileOutputFormat.setOutputPath(job, hfiles());
    try (Table t = c.getTable(table);
        RegionLocator locator = c.getRegionLocator(table)) {
      HFileOutputFormat2.configureIncrementalLoad(job, t.getDescriptor(), locator);
    }
  }

  /** Runs the job, and says every few seconds how far it is. */
  static void run(org.apache.hadoop.mapreduce.Job job) throws Exception {
    if (job.getConfiguration().get("mapreduce.framework.name", "local").equals("local")) {
      job.getConfiguration().unset("tmpjars"); // all jars are on the class path of this process
    }
    job.submit();
    long said = System.nanoTime();
    while (!job.isComplete()) {
      Thread.sleep(100);
      if (System.nanoTime() - said > 5_000_000_000L) {
        said = System.nanoTime();
        System.err.printf(
            Locale.ROOT,
            "read %.0f %%, sorted and written %.0f %%%n",
            100 * job.mapProgress(),
            100 * job.reduceProgress());
      }
    }
    if (!job.isSuccessful()) {
      throw new IOException("the job failed; what is logged above says why");
    }
  }

  static long count(org.apache.hadoop.mapreduce.Job job, Enum<?> name) throws IOException {
    return job.getCounters().findCounter(name).getValue();
  }

  /**
   * Says what the job has read and refused. Rows that share a key are one row in HBase.
   *
   * @return the number of rows that are refused
   */
  long report(org.apache.hadoop.mapreduce.Job job, String rows) throws IOException {
    long read = count(job, Count.READ);
    long refused = count(job, Count.REFUSED);
    long keys = count(job, TaskCounter.REDUCE_INPUT_GROUPS);
    System.out.printf(Locale.ROOT, "%d %s are read, %d are refused%n", read, rows, refused);
    if (refused > 0) {
      System.out.printf("the refused ones and the reasons are in %s%n", refused());
    }
    if (keys < read - refused) {
      System.out.printf(
          Locale.ROOT,
          "%d %s have a key that another one has, too: one of them is kept%n",
          read - refused - keys,
          rows);
    }
    System.out.printf(
        Locale.ROOT, "%d rows of %d cells are in HFiles%n", keys, count(job, Count.CELLS));
    return refused;
  }

  /** The number of HFiles; none may hold keys of two of the table's regions. */
  private int inOneRegionEach(Connection c, TableName table, FileSystem fs) throws IOException {
    byte[][] starts;
    try (RegionLocator locator = c.getRegionLocator(table)) {
      starts = locator.getStartKeys();
    }
    byte[][] splits = java.util.Arrays.copyOfRange(starts, 1, starts.length);
    int files = 0;
    for (FileStatus family : fs.listStatus(hfiles())) {
      if (!family.isDirectory()) {
        continue;
      }
      for (FileStatus file : fs.listStatus(family.getPath())) {
        try (HFile.Reader r =
            HFile.createReader(fs, file.getPath(), CacheConfig.DISABLED, true, fs.getConf())) {
          int first = TradesKey.region(r.getFirstRowKey().get(), splits);
          int last = TradesKey.region(r.getLastRowKey().get(), splits);
          if (first != last) {
            System.out.printf(
                "%s lies in more than one region: the table was split meanwhile, and loading splits the file%n",
                file.getPath().getName());
          }
        }
        files++;
      }
    }
    return files;
  }

  /** Gives the HFiles to the region servers, which take them as they are. */
  void load(Configuration conf, Connection c, TableName table) throws IOException {
    FileSystem fs = hfiles().getFileSystem(conf);
    int files = inOneRegionEach(c, table, fs);
    if (files == 0) {
      System.out.println("there is nothing to load");
      return;
    }
    Map<?, ?> loaded = BulkLoadHFiles.create(conf).bulkLoad(table, hfiles());
    System.out.printf(Locale.ROOT, "%d HFiles are loaded into %s%n", loaded.size(), table);
  }

  /** A cell as it is kept, with another row key: its timestamp and its tags are those it had. */
  static org.apache.hadoop.hbase.KeyValue rekeyed(
      byte[] key, org.apache.hadoop.hbase.ExtendedCell cell) {
    return new org.apache.hadoop.hbase.KeyValue(
        key,
        CellUtil.cloneFamily(cell),
        CellUtil.cloneQualifier(cell),
        cell.getTimestamp(),
        org.apache.hadoop.hbase.KeyValue.Type.Put,
        CellUtil.cloneValue(cell),
        org.apache.hadoop.hbase.PrivateCellUtil.cloneTags(cell));
  }

  /** What went wrong, for one who has not written this program. */
  static String reason(Throwable e) {
    while (e instanceof UncheckedIOException && e.getCause() != null) {
      e = e.getCause();
    }
    if (e instanceof org.apache.hadoop.hbase.TableNotFoundException) {
      return "there is no table " + e.getMessage();
    }
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  static byte[] bytes(String s) {
    return Bytes.toBytes(s);
  }
}
