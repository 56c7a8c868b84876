package com.acme.keys;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.time.Instant;

/** The program of main.go in Java: without arguments it writes keys, with a file it reads them and writes them again. */
public final class Main {
  public static void main(String[] args) throws IOException {
    if (args.length > 0) {
      for (String line : Files.readAllLines(Paths.get(args[0]), StandardCharsets.US_ASCII)) {
        String[] w = line.split(" ");
        print(w[0], again(w[0], bytes(w[1])));
      }
      return;
    }
    for (int i = 0; i < 10; i++) {
      Instant at = Instant.ofEpochMilli(1684203630002L + 86400_000L * i);
      print("trades", TradesKey.encode("s-" + i + " \u00e9", TradesKey.atOf(at), (long) i << 60));
      print("ops", OpsKey.encode("user" + i * i, OpsKey.atOf(at)));
      print("readings", ReadingsKey.encode(i * 477218588L, ReadingsKey.dayOf(at)));
    }
  }

  private static byte[] again(String table, byte[] key) {
    switch (table) {
      case "trades":
        return TradesKey.decode(key).encode();
      case "ops":
        return OpsKey.decode(key).encode();
      case "readings":
        return ReadingsKey.decode(key).encode();
      default:
        throw new IllegalArgumentException("no table " + table);
    }
  }

  private static void print(String table, byte[] key) {
    StringBuilder b = new StringBuilder(table).append(' ');
    for (byte c : key) b.append(String.format("%02x", c));
    System.out.println(b);
  }

  private static byte[] bytes(String hex) {
    byte[] b = new byte[hex.length() / 2];
    for (int i = 0; i < b.length; i++) b[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
    return b;
  }

  private Main() {}
}
