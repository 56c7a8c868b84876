package com.acme.bulk.spark;

import com.acme.keys.TradesKey;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HexFormat;
import org.apache.spark.Partitioner;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/**
 * The keys of a CSV file by Spark: sorted, a file for each region, each line a key in hexadecimal, a
 * tabulator and the price. What is refused is written aside, each line after its reason.
 *
 * <p>Arguments: the file, a folder that is made, the number of regions.
 */
public final class Keys {
  /** trades_key(seller, at, order), of texts; null where trades_refusal says why there is none. */
  static final UDF3<String, String, String, byte[]> KEY =
      (seller, at, order) -> {
        try {
          return key(seller, at, order);
        } catch (IllegalArgumentException | DateTimeParseException e) {
          return null;
        }
      };

  static final UDF3<String, String, String, String> REFUSAL =
      (seller, at, order) -> {
        try {
          key(seller, at, order);
          return null;
        } catch (IllegalArgumentException | DateTimeParseException e) {
          return e.getMessage();
        }
      };

  /** RowKeys.KeyException and NumberFormatException are IllegalArgumentExceptions. */
  private static byte[] key(String seller, String at, String order) {
    if (seller == null || at == null || order == null) {
      throw new IllegalArgumentException("a column is missing");
    }
    if (seller.indexOf('\uFFFD') >= 0) { // Spark makes it of bytes that are no UTF-8
      throw new IllegalArgumentException("seller: not UTF-8, or U+FFFD");
    }
    return TradesKey.encode(
        seller, TradesKey.atOf(Instant.parse(at)), Long.parseUnsignedLong(order));
  }

  /** Rows go to the region that holds their key. */
  static final class Regions extends Partitioner {
    private final byte[][] starts;

    Regions(byte[][] starts) {
      this.starts = starts;
    }

    @Override
    public int numPartitions() {
      return starts.length + 1;
    }

    @Override
    public int getPartition(Object key) {
      return TradesKey.region((byte[]) key, starts);
    }
  }

  public static void main(String[] args) {
    if (args.length != 3) {
      System.err.println("arguments: FILE FOLDER REGIONS");
      System.exit(2);
    }
    SparkSession spark = SparkSession.builder().appName("keys").getOrCreate();
    spark.udf().register("trades_key", KEY, DataTypes.BinaryType);
    spark.udf().register("trades_refusal", REFUSAL, DataTypes.StringType);
    Dataset<Row> rows =
        spark
            .read()
            .option("header", true)
            .schema("seller STRING, at STRING, order STRING, price STRING")
            .csv(args[0])
            .selectExpr("*", "trades_key(seller, at, order) AS key")
            .persist(StorageLevel.MEMORY_AND_DISK());
    long read = rows.count();
    Dataset<Row> refused = rows.where("key IS NULL");
    long bad = refused.count();
    refused
        .selectExpr(
            "concat_ws('\\t', trades_refusal(seller, at, order), concat_ws(',', seller, at, order, price))")
        .coalesce(1)
        .write()
        .text(args[1] + "/refused");
    rows.where("key IS NOT NULL")
        .javaRDD()
        .mapToPair(r -> new Tuple2<>(r.<byte[]>getAs("key"), r.<String>getAs("price")))
        .repartitionAndSortWithinPartitions(
            new Regions(TradesKey.splits(Integer.parseInt(args[2]))), TradesKey.COMPARATOR)
        .map(r -> HexFormat.of().formatHex(r._1()) + "\t" + r._2())
        .saveAsTextFile(args[1] + "/keys");
    System.out.printf("%d lines are read, %d are refused%n", read, bad);
    spark.stop();
  }

  private Keys() {}
}
