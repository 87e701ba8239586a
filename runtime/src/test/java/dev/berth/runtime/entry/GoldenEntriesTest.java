package dev.berth.runtime.entry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Reason;
import dev.berth.core.event.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Entries that earlier versions wrote are read as what they meant then. */
class GoldenEntriesTest {

  private static final Path GOLDEN = Path.of("src", "test", "resources", "entries");

  /** Entries of every type, inputs of every type and reasons of every type. */
  private static List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    for (int seed = 1; seed <= 3; seed++) {
      Samples samples = new Samples(seed);
      entries.add(new Entry.Opened(1, "0.1.0", samples.next(Settings.class)));
      entries.add(samples.next(Entry.Passed.class));
      entries.add(samples.next(Entry.Settled.class));
      for (Class<?> each : Samples.recordsOf(Event.class)) {
        entries.add(new Entry.Applied(1_000_000L * seed, (Event<?>) samples.next(each)));
      }
    }
    Samples samples = new Samples(4);
    for (Class<?> each : Reason.class.getPermittedSubclasses()) {
      entries.add(new Entry.Applied(4, new Event.BagCancelled("b", (Reason) samples.next(each))));
    }
    for (int i = 0; i < 15; i++) {
      entries.add(new Entry.Applied(5, samples.next(Event.Submitted.class)));
    }
    return entries;
  }

  /**
   * Each line has an entry as bytes in hex and as JSON. The file of a format that was ever released
   * stays as it is. To write that of a new format, run with {@code -Dberth.golden.update=true}.
   */
  @Test
  void areReadAsTheyWereWritten() throws IOException {
    Path file = GOLDEN.resolve("format-" + EntryFormat.VERSION + ".txt");
    if (Boolean.getBoolean("berth.golden.update")) {
      Files.createDirectories(GOLDEN);
      Files.write(
          file,
          entries().stream()
              .map(
                  each ->
                      HexFormat.of().formatHex(EntryFormat.toBytes(each))
                          + " "
                          + EntryFormat.toJson(each))
              .toList());
    }
    Set<Class<?>> seen = new HashSet<>();
    for (String line : Files.readAllLines(file)) {
      String hex = line.substring(0, line.indexOf(' '));
      String json = line.substring(line.indexOf(' ') + 1);

      Entry read = EntryFormat.read(HexFormat.of().parseHex(hex));

      assertThat(EntryFormat.toJson(read)).isEqualTo(json);
      Same.requireSame(EntryFormat.fromJson(json), read);
      assertThat(HexFormat.of().formatHex(EntryFormat.toBytes(read))).isEqualTo(hex);
      seen.add(read.getClass());
      if (read instanceof Entry.Applied applied) {
        seen.add(applied.input().getClass());
        if (applied.input() instanceof Event.BagCancelled cancelled) {
          seen.add(cancelled.why().getClass());
        }
      }
    }
    assertThat(seen)
        .contains(Entry.class.getPermittedSubclasses())
        .containsAll(Samples.recordsOf(Event.class))
        .contains(Reason.class.getPermittedSubclasses());
  }
}
