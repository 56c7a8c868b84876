package com.acme.bulk;

import com.acme.keys.RowKeys;
import com.acme.keys.Trades64Key;
import com.acme.keys.TradesKey;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.MapReduceExtendedCell;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Moves the rows of a live change: reads the old table, or a snapshot of it, and loads the new one. */
@Command(
    name = "rekey",
    description = {
      "Moves all rows of a change of a live table to its other layout, by HFiles.",
      "rowkey-change load NAME -- … starts it, and says which tables and which state."
    },
    mixinStandardHelpOptions = true)
final class Rekey implements Callable<Integer> {
  /** The clocks of a master and a region server may differ by so much: hbase.master.maxclockskew. */
  private static final long CLOCKS_MS = 30_000;

  @Mixin private Job job;

  @Option(
      names = "--snapshot",
      arity = "0..1",
      fallbackValue = "",
      paramLabel = "NAME",
      description =
          "Read a snapshot, which costs the region servers nothing; without a NAME it is taken, and deleted in the end.")
  private String snapshot;

  @Option(
      names = "--root-dir",
      paramLabel = "DIR",
      description = "With --snapshot: hbase.rootdir, unless hbase-site.xml says it.")
  private String rootDir;

  @Option(names = "--no-load", description = "Write the HFiles alone, and exit with 1; bulk complete loads them.")
  private boolean noLoad;

  /** A row is decoded by the class of one layout, and encoded by that of the other. */
  static final class Rows extends TableMapper<ImmutableBytesWritable, MapReduceExtendedCell> {
    private Aside aside;
    private boolean back;

    @Override
    protected void setup(Context task) {
      aside = new Aside(task);
      back = task.getConfiguration().getBoolean("back", false);
    }

    @Override
    protected void map(ImmutableBytesWritable row, Result cells, Context task)
        throws IOException, InterruptedException {
      task.getCounter(Job.Count.READ).increment(1);
      byte[] key;
      try {
        key = back ? toOld(row.copyBytes()) : toNew(row.copyBytes());
      } catch (RowKeys.KeyException e) { // it stays where it is, and verify reports it
        task.getCounter(Job.Count.REFUSED).increment(1);
        aside.refuse(e.getMessage(), Bytes.toHex(row.copyBytes()));
        return;
      }
      ImmutableBytesWritable to = new ImmutableBytesWritable(key);
      for (Cell cell : cells.rawCells()) {
        task.getCounter(Job.Count.CELLS).increment(1);
        task.write(to, new MapReduceExtendedCell(Job.rekeyed(key, (ExtendedCell) cell)));
      }
    }

    private static byte[] toNew(byte[] key) {
      TradesKey r = TradesKey.decode(key);
      return Trades64Key.encode(r.seller, r.at, r.order);
    }

    private static byte[] toOld(byte[] key) {
      Trades64Key r = Trades64Key.decode(key);
      return TradesKey.encode(r.seller, r.at, r.order);
    }

    @Override
    protected void cleanup(Context task) throws IOException {
      aside.close();
    }
  }

  @Override
  public Integer call() throws Exception {
    Turn turn = Turn.ofEnvironment(System.getenv());
    Configuration conf = job.conf();
    conf.setBoolean("back", turn.back());
    if (rootDir != null) {
      conf.set("hbase.rootdir", rootDir);
      conf.set("fs.defaultFS", rootDir);
    }
    try (Connection c = ConnectionFactory.createConnection(conf);
        Admin admin = c.getAdmin()) {
      turn.holds(c);
      job.makeWork(conf);
      org.apache.hadoop.mapreduce.Job mr =
          org.apache.hadoop.mapreduce.Job.getInstance(conf, "rekey " + turn.from());
      String taken = read(mr, admin, turn);
      try {
        job.writeHFiles(mr, c, turn.to());
        Job.run(mr);
        if (job.report(mr, "rows") > 0) {
          System.out.println("they stay in " + turn.from() + ", and verify stops at them");
        }
      } finally {
        if (taken != null) {
          admin.deleteSnapshot(taken);
        }
      }
      if (noLoad) {
        System.out.println("nothing is loaded yet: bulk complete does that");
        return 1; // for rowkey-change load the rows are not moved
      }
      turn.holds(c);
      job.load(conf, c, turn.to());
      return 0;
    }
  }

  /**
   * Has the job read the table or a snapshot of it.
   *
   * @return a snapshot that was taken, or null
   */
  private String read(org.apache.hadoop.mapreduce.Job mr, Admin admin, Turn turn) throws IOException {
    Scan scan = new Scan().readAllVersions().setCacheBlocks(false).setCaching(1000);
    if (snapshot == null) {
      TableMapReduceUtil.initTableMapperJob(
          turn.from().getName(),
          scan,
          Rows.class,
          ImmutableBytesWritable.class,
          MapReduceExtendedCell.class,
          mr,
          true);
      return null;
    }
    String name = snapshot;
    if (name.isEmpty()) {
      name = turn.from().getNameAsString().replace(':', '.') + "-" + System.currentTimeMillis();
      admin.snapshot(name, turn.from());
    } else {
      inTime(admin, name, turn);
    }
    // A region that is read from files alone has no memory from which this could be taken.
    mr.getConfiguration().setBoolean("hbase.hregion.memstore.mslab.enabled", false);
    TableMapReduceUtil.initTableSnapshotMapperJob(
        name,
        scan,
        Rows.class,
        ImmutableBytesWritable.class,
        MapReduceExtendedCell.class,
        mr,
        true,
        new Path(job.work, "snapshot"));
    return snapshot.isEmpty() ? name : null;
  }

  /**
   * Refuses a snapshot that may be older than the state: of what was put between the two, the new
   * table would have nothing, since only clients of this state write to both.
   */
  private static void inTime(Admin admin, String name, Turn turn) throws IOException {
    for (SnapshotDescription s : admin.listSnapshots()) {
      if (!s.getName().equals(name)) {
        continue;
      }
      if (!s.getTableName().equals(turn.from())) {
        throw new IOException("snapshot " + name + " is of " + s.getTableName() + ", not of " + turn.from());
      }
      long after = s.getCreationTime() - turn.since();
      if (after < CLOCKS_MS) {
        String when = after < 0 ? "before" : after / 1000 + " s after";
        throw new IOException(
            "snapshot " + name + " was taken " + when + " all clients were known to write to both tables; "
                + CLOCKS_MS / 1000 + " s after it are wanted, since clocks differ. What was put before"
                + " is in the old table alone: take another one");
      }
      return;
    }
    throw new IOException("there is no snapshot " + name);
  }
}
