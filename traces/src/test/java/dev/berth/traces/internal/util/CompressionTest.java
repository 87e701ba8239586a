package dev.berth.traces.internal.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.test.TestRun;
import dev.berth.traces.Readers;
import dev.berth.traces.TextFiles;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.Lines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.commons.compress.compressors.CompressorException;
import org.apache.commons.compress.compressors.CompressorStreamFactory;
import org.apache.commons.compress.compressors.zstandard.ZstdCompressorOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(600)
class CompressionTest {

  private static final String CUT =
      "f: ends in the middle of its compressed data. Maybe it was cut off.";

  private static final List<ServiceClass> CLASSES = ServiceClasses.goldSilverBronze(Duration.ZERO);

  @TempDir private Path folder;
  private TextFiles files;

  @BeforeEach
  void setUp() {
    files = new TextFiles(folder);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "xz", "zstd", "bzip2"})
  void recognisesCompressionByContent(String kind) throws Exception {
    assertThat(read(compress(kind, "a\nb\n"))).containsExactly("a", "b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "xz", "zstd", "bzip2"})
  void readsConcatenatedCompressedFiles(String kind) throws Exception {
    assertThat(read(join(compress(kind, "a\nb"), compress(kind, "c\nd\n"))))
        .containsExactly("a", "bc", "d");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "xz", "zstd", "bzip2"})
  void noticesTruncationAnywhere(String kind) throws Exception {
    byte[] whole = compress(kind, text());
    List<Integer> lengths = new ArrayList<>(List.of(7, whole.length / 2, whole.length - 1));
    for (int each : lengths) {
      files.assertRefused(CUT, () -> read(Arrays.copyOf(whole, each)));
    }
    byte[] two = join(whole, whole);
    assertThatThrownBy(() -> read(Arrays.copyOf(two, whole.length + 5)))
        .isInstanceOf(InputException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "xz", "zstd", "bzip2"})
  void damageCausesAnErrorOrTheSameText(String kind) throws Exception {
    byte[] whole = compress(kind, text());
    List<String> lines = text().lines().toList();
    Random random = new Random(1);
    int noticed = 0;
    int cases = TestRun.cases(500);
    for (int i = 0; i < cases; i++) {
      byte[] damaged = whole.clone();
      damaged[6 + random.nextInt(whole.length - 6)] ^= (byte) (1 << random.nextInt(8));
      try {
        assertThat(read(damaged)).isEqualTo(lines);
      } catch (InputException expected) {
        noticed++;
      }
    }
    assertThat(noticed).isGreaterThan(cases * 3 / 4);
  }

  @Test
  void refusesCompressedDataThatNeedsTooMuchMemory() throws Exception {
    byte[] xz = compress("xz", "a");
    int header = 12; // of the only block, behind that of the stream
    int checkSum = header + 4 * (xz[header] + 1) - 4;
    xz[header + 4] = 34; // a dictionary of 512 MiB
    CRC32 crc = new CRC32();
    crc.update(xz, header, checkSum - header);
    ByteBuffer.wrap(xz).order(ByteOrder.LITTLE_ENDIAN).putInt(checkSum, (int) crc.getValue());

    files.assertRefused("f: needs more than 128 MiB to be decompressed.", () -> read(xz));
  }

  @Test
  void refusesAnEndlessLineWithinAMebibyte() throws Exception {
    for (String kind : List.of("gz", "xz", "zstd")) {
      byte[] bomb = compress(kind, "x".repeat(1_000_000), 8);
      files.assertRefused("f, line 1: is longer than 1048576 bytes.", () -> read(bomb));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"xz", "zstd", "bzip2"})
  void refusesTinyFilesThatGrowWithoutEnd(String kind) throws Exception {
    byte[] part = compress(kind, "\na sentence".repeat(100_000)); // of a megabyte
    byte[] bomb = join(Collections.nCopies(40, part).toArray(byte[][]::new));

    files.assertRefused(
        "f: is more than 16 MiB and 1032 times its size when decompressed. Maybe decompress it"
            + " first, if it is genuine.",
        () -> read(bomb));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "xz", "zstd", "bzip2"})
  void refusesTinyFilesThatSayNothing(String kind) throws Exception {
    byte[] part = compress(kind, "\n# comment".repeat(100_000)); // of a megabyte
    files.bytes("f", join(Collections.nCopies(40, part).toArray(byte[][]::new)));

    files.assertRefused(
        "f, line 1677723: follows 16 MiB more of blank lines and comments than of other lines, as no"
            + " trace does. Maybe remove them.",
        () -> Readers.workload(folder.resolve("f").toString(), CLASSES));
  }

  @Test
  void readsAllThatGzipCanExpress() throws Exception {
    assertThat(read(compress("gz", "a".repeat(1_000_000) + "\n", 60))).hasSize(60);
  }

  @Test
  void explainsALibraryThatCannotBeLoaded() {
    for (LinkageError each :
        List.of(
            new ExceptionInInitializerError("x"),
            new NoClassDefFoundError("x"),
            new UnsatisfiedLinkError("x"))) {
      assertThatThrownBy(
              () ->
                  Compression.loading(
                      "zstd",
                      () -> {
                        throw each;
                      }))
          .isInstanceOfSatisfying(
              Compression.DamagedException.class,
              error -> assertThat(error.hint().get()).contains("java.io.tmpdir"))
          .hasMessage("is compressed with zstd, whose library cannot be loaded");
    }
  }

  private static String text() {
    StringBuilder text = new StringBuilder();
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      text.append(i).append(',').append(random.nextInt()).append('\n');
    }
    return text.toString();
  }

  private static byte[] compress(String kind, String text) throws IOException, CompressorException {
    return compress(kind, text, 1);
  }

  private static byte[] compress(String kind, String text, int times)
      throws IOException, CompressorException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out =
        kind.equals("zstd")
            ? ZstdCompressorOutputStream.builder().setOutputStream(bytes).setChecksum(true).get()
            : new CompressorStreamFactory().createCompressorOutputStream(kind, bytes)) {
      byte[] once = text.getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < times; i++) {
        out.write(once);
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] each : parts) {
      all.writeBytes(each);
    }
    return all.toByteArray();
  }

  private List<String> read(byte[] content) {
    List<String> all = new ArrayList<>();
    try (Lines lines = Input.of(files.bytes("f", content)).open()) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        all.add(line);
      }
    }
    return all;
  }
}
