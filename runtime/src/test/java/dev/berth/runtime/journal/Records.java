package dev.berth.runtime.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Records for tests, and what a journal holds as text. */
final class Records {

  private Records() {}

  /** Returns a record of up to so many bytes; some are zeros, as padding would be. */
  static byte[] random(Random random, int most) {
    byte[] record = new byte[random.nextInt(most + 1)];
    if (random.nextInt(4) > 0) {
      random.nextBytes(record);
    }
    return record;
  }

  /** Returns all records from a number on. */
  static List<byte[]> from(JournalCursor cursor, long first) throws IOException {
    List<byte[]> records = new ArrayList<>();
    try (cursor) {
      long expected = first;
      while (cursor.next()) {
        if (cursor.number() != expected) {
          throw new AssertionError("record " + cursor.number() + ", must be " + expected);
        }
        expected++;
        records.add(cursor.bytes());
      }
    }
    return records;
  }

  static List<byte[]> all(Journal journal) throws IOException {
    return from(journal.read(journal.firstNumber()), journal.firstNumber());
  }

  static byte[] content(JournalSnapshot snapshot) throws IOException {
    try (var in = snapshot.open()) {
      return in.readAllBytes();
    }
  }
}
