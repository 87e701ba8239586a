package dev.berth.traces.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.traces.TextFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinesTest {

  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  @TempDir private Path folder;
  private TextFiles files;

  @BeforeEach
  void setUp() {
    files = new TextFiles(folder);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void acceptsAllUsualLineEnds(String end) {
    String file = text("a" + end + "b" + end + end + "c" + end);

    assertThat(read(file)).containsExactly("1:a", "2:b", "4:c");
  }

  @Test
  void acceptsALastLineWithoutEnd() {
    assertThat(read(text("a\nb"))).containsExactly("1:a", "2:b");
  }

  @Test
  void blankLinesAndCommentsCountAsLines() {
    String file = text("# one\n\n  \t \n% four\n  # five\na # b\n");

    assertThat(read(file)).containsExactly("6:a # b");
  }

  @Test
  void ignoresAByteOrderMark() {
    assertThat(read(files.bytes("f", join(MARK, "# c\na".getBytes(StandardCharsets.UTF_8)))))
        .containsExactly("2:a");
    assertThat(read(files.bytes("f", MARK))).isEmpty();
  }

  @Test
  void recognisesGzipByContent() {
    assertThat(read(files.gzip("plain.txt", "a", "b"))).containsExactly("1:a", "2:b");
  }

  @Test
  void anEmptyFileHasNoLines() {
    assertThat(read(text(""))).isEmpty();
    assertThat(read(text("x"))).containsExactly("1:x");
  }

  @Test
  void acceptsLettersOfAllScripts() {
    assertThat(read(text("número;世界;🚢"))).containsExactly("1:número;世界;🚢");
  }

  @Test
  void limitsTheLengthOfALine() {
    String longest = "a".repeat(Lines.LONGEST);
    assertThat(read(text(longest + "\nb"))).hasSize(2);

    String file = text("a\n" + longest + "a\nb");
    files.assertRefused("f, line 2: is longer than 1048576 bytes.", () -> read(file));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\r", "#\n", "                              \n"})
  void refusesAFileThatSaysNothingEarly(String line) {
    String file = files.gzip("f", "a\n" + line.repeat((20 << 20) / line.length()));

    assertThatThrownBy(() -> read(file))
        .hasMessageMatching(
            ".*f, line [0-9]+: follows 16 MiB more of blank lines and comments than of other lines, .*");
  }

  @Test
  void acceptsAsManyCommentsAsOtherLines() {
    assertThat(read(files.gzip("f", "# a\na # b\n".repeat(3 << 20)))).hasSize(3 << 20);
  }

  @Test
  void refusesAnEndlessLineEarly() {
    String file = files.gzip("f", "x".repeat(8_000_000)); // 8 MB in 8 kB

    files.assertRefused("f, line 1: is longer than 1048576 bytes.", () -> read(file));
  }

  @Test
  void errorOfBinaryDataNamesTheLine() {
    String rule = ": is not text in UTF-8. Maybe the file is binary or in another encoding.";
    String latin = files.bytes("f", "a\nnão".getBytes(StandardCharsets.ISO_8859_1));
    files.assertRefused("f, line 2" + rule, () -> read(latin));
    String wide = files.bytes("g", "abc".getBytes(StandardCharsets.UTF_16));
    files.assertRefused("g, line 1" + rule, () -> read(wide));
    String wideWithoutMark = files.bytes("h", "abc".getBytes(StandardCharsets.UTF_16LE));
    files.assertRefused("h, line 1" + rule, () -> read(wideWithoutMark));
    String cut = files.bytes("i", new byte[] {'a', '\n', 'b', (byte) 0xC3});
    files.assertRefused("i, line 2" + rule, () -> read(cut));
  }

  @Test
  void commentsMayBeInAnyEncoding() {
    String text = "# Universität\na\n  % não\n; Installation: Universität\nb";
    assertThat(read(files.bytes("f", text.getBytes(StandardCharsets.ISO_8859_1))))
        .containsExactly("2:a", "4:; Installation: Universität", "5:b");
    assertThat(read(text(text))).containsExactly("2:a", "4:; Installation: Universität", "5:b");
  }

  @Test
  void refusesTruncatedCompressedData() throws IOException {
    byte[] whole = Files.readAllBytes(Path.of(files.gzip("f", "a", "b", "c".repeat(1000))));
    String cut = files.bytes("f", Arrays.copyOf(whole, whole.length / 2));

    files.assertRefused(
        "f: ends in the middle of its compressed data. Maybe it was cut off.", () -> read(cut));
    String almostNothing = files.bytes("g", Arrays.copyOf(whole, 4));
    files.assertRefused(
        "g: ends in the middle of its compressed data. Maybe it was cut off.",
        () -> read(almostNothing));
  }

  @Test
  void refusesDamagedCompressedData() throws IOException {
    byte[] whole = Files.readAllBytes(Path.of(files.gzip("f", "a", "b", "c".repeat(1000))));
    whole[whole.length - 6] ^= 0x55; // in the checksum
    String damaged = files.bytes("f", whole);

    files.assertRefused("f: holds damaged compressed data.", () -> read(damaged));
  }

  @Test
  void refusesPathsThatAreNotFiles() {
    files.assertRefused("none: does not exist.", () -> read(folder.resolve("none").toString()));
    files.assertRefused(
        "sub: is a directory, must be a file.",
        () -> read(Files.createDirectory(folder.resolve("sub")).toString()));
  }

  private String text(String content) {
    return files.bytes("f", content.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> read(String file) {
    List<String> all = new ArrayList<>();
    try (Lines lines = Lines.open(new Content.OnDisk(file, Path.of(file)))) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        all.add(lines.location().line() + ":" + line);
      }
    }
    return all;
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }
}
