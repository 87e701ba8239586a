package dev.berth.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StandardStreamTest {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final StandardStream errors = new StandardStream(printed);

  @Test
  void writesUtf8() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StandardStream stream = new StandardStream(bytes);
    stream.writer().print("≈2400 –");
    assertThat(stream.finish("standard output", 0, errors)).isZero();
    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("≈2400 –");
  }

  @ParameterizedTest
  @CsvSource({
    "Broken pipe, 0, 0, ''",
    "The pipe is being closed, 2, 2, ''",
    "No space left on device, 0, 1, berth: standard output: No space left on device.",
    "No space left on device, 2, 2, berth: standard output: No space left on device."
  })
  void ignoresClosedReaderButNoOtherFailure(
      String failure, int exitCode, int expected, String message) {
    StandardStream stream = new StandardStream(failing(failure));
    stream.writer().print("x".repeat(1 << 20));
    assertThat(stream.finish("standard output", exitCode, errors)).isEqualTo(expected);
    errors.writer().flush();
    assertThat(printed.toString(StandardCharsets.UTF_8).strip()).isEqualTo(message);
  }

  private static OutputStream failing(String message) {
    return new OutputStream() {
      @Override
      public void write(int one) throws IOException {
        throw new IOException(message);
      }
    };
  }
}
