package dev.berth.traces;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Writes the files that readers are tried on. */
final class TextFiles {

  private final Path folder;

  TextFiles(Path folder) {
    this.folder = folder;
  }

  String write(String name, String... lines) {
    return bytes(name, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  String bytes(String name, byte[] content) {
    try {
      return Files.write(folder.resolve(name), content).toString();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  String gzip(String name, String... lines) {
    Path file = folder.resolve(name);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return file.toString();
  }

  /** Expects an {@link InputException} whose message ends so, after the path of the folder. */
  AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
      String message, ThrowingCallable reading) {
    return Assertions.assertThatThrownBy(reading)
        .isInstanceOf(InputException.class)
        .hasMessage(folder.resolve("x").toString().replaceAll("x$", "") + message);
  }
}
