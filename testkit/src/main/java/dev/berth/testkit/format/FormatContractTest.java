package dev.berth.testkit.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.traces.ReadOptions;
import dev.berth.traces.ReadReport;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.Lines;
import dev.berth.traces.spi.Format;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of every file format. Extend {@link WorkloadFormatContractTest}, {@link
 * InfrastructureFormatContractTest} or {@link HostEventsFormatContractTest}.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class FormatContractTest {

  private static final int MUTATIONS = 400;
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  @TempDir private Path folder;

  /** For subclasses of this package. */
  FormatContractTest() {}

  // ---- Supplied by subclasses

  /** Returns a new format. */
  protected abstract Format format();

  /**
   * Returns a file in the format. Every line ends in {@code \n}. The last line is an entry of its
   * own, and the file is valid without it.
   */
  protected abstract String sample();

  /** Returns the {@code toString} of each entry of the sample, in order. */
  protected abstract List<String> entries();

  /** Returns a bad line to replace the last line; by default the first half of that. */
  protected String badLine() {
    String last = lines().get(lines().size() - 1);
    return last.substring(0, last.length() / 2);
  }

  /**
   * Returns the entries of the sample if its last line is bad and skipped; by default all but the
   * last entry. Empty if all lines are one entry: an entry with a bad line is skipped as a whole.
   */
  protected List<String> entriesWithoutLastLine() {
    return entries().subList(0, entries().size() - 1);
  }

  /** Returns the file name of the sample; by default {@code "sample.txt"}. */
  protected String fileName() {
    return "sample.txt";
  }

  // ---- Supplied by the contract of each kind of format

  /** The entries as text, and the report. */
  record Read(List<String> entries, ReadReport report) {}

  abstract Read read(Format format, Input input, ReadOptions options);

  abstract List<? extends Format> known();

  // ---- The rules

  @Test
  void required_F01_hasANameAndADescription() {
    assertThat(format().name()).matches("[a-z][a-z0-9]*(-[a-z0-9]+)*");
    assertThat(format().description()).isNotBlank().doesNotContain("\n").doesNotEndWith(".");
  }

  @Test
  void required_F02_recognisesItsFilesAndNoOthers() {
    Format format = format();
    assertThat(format.recognises(input(text()))).as("recognises the sample").isTrue();
    assertThat(known())
        .filteredOn(each -> !each.name().equals(format.name()))
        .filteredOn(each -> each.recognises(input(text())))
        .as("other formats that also recognise the sample")
        .isEmpty();
    for (String other : List.of("nothing like it\n", "<html>\n", "PK\u0001\n")) {
      boolean recognised;
      try {
        recognised = format.recognises(input(other.getBytes(StandardCharsets.UTF_8)));
      } catch (InputException noText) {
        continue;
      }
      assertThat(recognised).as("recognises " + other.strip()).isFalse();
    }
  }

  @Test
  void required_F03_readsTheEntriesOfTheSample() {
    Read read = read(text());

    assertThat(read.entries()).containsExactlyElementsOf(entries());
    assertThat(read.report().badLines()).isZero();
  }

  @Test
  void required_F04_readsTheSameEntriesAgain() {
    assertThat(read(text()).entries()).isEqualTo(read(text()).entries());
    Format one = format();
    Input input = input(text());
    assertThat(read(one, input, ReadOptions.STRICT).entries())
        .isEqualTo(read(one, input, ReadOptions.STRICT).entries());
  }

  @Test
  void required_F05_ignoresLineEndsMarksAndCompression() throws IOException {
    List<String> entries = read(text()).entries();
    assertThat(read(sample().replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8)).entries())
        .as("with CRLF")
        .isEqualTo(entries);
    assertThat(read(sample().strip().getBytes(StandardCharsets.UTF_8)).entries())
        .as("without a line end after the last line")
        .isEqualTo(entries);
    assertThat(read(join(BYTE_ORDER_MARK, text())).entries())
        .as("with a byte-order mark")
        .isEqualTo(entries);
    assertThat(read(("# a comment\n\n" + sample()).getBytes(StandardCharsets.UTF_8)).entries())
        .as("with a comment and a blank line")
        .isEqualTo(entries);
    assertThat(read(gzip(text())).entries()).as("with gzip").isEqualTo(entries);
  }

  @Test
  void required_F06_namesTheLocationOfABadLine() {
    assertThatThrownBy(() -> read(withBadLine(1)))
        .as("with a bad line")
        .isInstanceOf(InputException.class)
        .satisfies(
            error ->
                assertThat(((InputException) error).line())
                    .as("the line in the error")
                    .hasValue(lines().size()));
  }

  @Test
  void required_F07_skipsAndCountsAllowedBadLines() {
    if (entriesWithoutLastLine().isEmpty()) {
      assertThatThrownBy(() -> read(withBadLine(2), 2))
          .as("with a bad line in the only entry")
          .isInstanceOf(InputException.class);
      return;
    }
    Read read = read(withBadLine(2), 2);

    assertThat(read.entries()).containsExactlyElementsOf(entriesWithoutLastLine());
    assertThat(read.report().badLines()).isEqualTo(2);
    assertThat(read.report().firstBad()).hasSize(2);
    assertThatThrownBy(() -> read(withBadLine(2), 1))
        .as("with one bad line more than allowed")
        .isInstanceOf(InputException.class);
  }

  @Test
  void required_F08_refusesForeignAndDamagedFiles() {
    assertRefused("an empty file", new byte[0]);
    assertRefused("binary data", new byte[] {0, 1, 2, 3, (byte) 0xFF, '\n'});
    assertRefused("a line that is too long", tooLong());
    assertRefused("truncated compressed data", cutOff());
    assertThatThrownBy(
            () -> read(format(), Input.of(folder.resolve("none").toString()), ReadOptions.STRICT))
        .as("a missing file")
        .isInstanceOf(InputException.class);
  }

  @Test
  void required_F09_failsOnlyWithInputExceptions() {
    Random random = new Random(1);
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] mutant = mutate(random);
      Input input = input(mutant);
      for (int skipBad : new int[] {0, 1_000}) {
        try {
          read(format(), input, new ReadOptions(skipBad));
        } catch (InputException fine) {
          assertThat(fine).hasMessageEndingWith(".");
        } catch (RuntimeException other) {
          throw new AssertionError(
              "mutant %s fails with %s:%n%s"
                  .formatted(i, other, new String(mutant, StandardCharsets.UTF_8)),
              other);
        }
      }
    }
  }

  // ---- Damaged samples

  private void assertRefused(String what, byte[] content) {
    assertThatThrownBy(() -> read(content)).as(what).isInstanceOf(InputException.class);
  }

  private byte[] withBadLine(int times) {
    List<String> all = new ArrayList<>(lines().subList(0, lines().size() - 1));
    for (int i = 0; i < times; i++) {
      all.add(badLine());
    }
    return (String.join("\n", all) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private byte[] tooLong() {
    String first = lines().get(0);
    return (first + "\n" + first.charAt(0) + "x".repeat(Lines.LONGEST))
        .getBytes(StandardCharsets.UTF_8);
  }

  private byte[] cutOff() {
    byte[] whole = gzip(text());
    return Arrays.copyOf(whole, whole.length - 9);
  }

  private byte[] mutate(Random random) {
    byte[] mutant = text().clone();
    int changes = 1 + random.nextInt(3);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(mutant.length);
      switch (random.nextInt(4)) {
        case 0 -> mutant[at] = (byte) random.nextInt(256);
        case 1 -> mutant[at] = (byte) "0123456789-+.eE,;:{}[]\"'\n =<>|".charAt(random.nextInt(30));
        case 2 ->
            mutant =
                join(
                    Arrays.copyOf(mutant, at),
                    rest(mutant, Math.min(mutant.length, at + 1 + random.nextInt(4))));
        default -> mutant = join(Arrays.copyOf(mutant, at), rest(mutant, random.nextInt(at + 1)));
      }
      if (mutant.length == 0) {
        return mutant;
      }
    }
    return mutant;
  }

  private static byte[] rest(byte[] bytes, int from) {
    return Arrays.copyOfRange(bytes, from, bytes.length);
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  private static byte[] gzip(byte[] content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(content);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  // ---- Reading

  private List<String> lines() {
    return sample().lines().toList();
  }

  private byte[] text() {
    return sample().getBytes(StandardCharsets.UTF_8);
  }

  private Read read(byte[] content) {
    return read(content, 0);
  }

  private Read read(byte[] content, int skipBad) {
    return read(format(), input(content), new ReadOptions(skipBad));
  }

  private Input input(byte[] content) {
    Path file = folder.resolve(fileName());
    try {
      Files.deleteIfExists(file); // much faster than to truncate it, on some file systems
      return Input.of(Files.write(file, content).toString());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
