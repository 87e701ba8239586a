package dev.berth.traces;

import dev.berth.traces.input.InputException;
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

/** Writes input files into a folder. */
public final class TextFiles {

  private final Path folder;

  /** Creates files in a folder. */
  public TextFiles(Path folder) {
    this.folder = folder;
  }

  /** Writes lines and returns the path. */
  public String write(String name, String... lines) {
    return bytes(name, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Writes bytes and returns the path. */
  public String bytes(String name, byte[] content) {
    try {
      return Files.write(folder.resolve(name), content).toString();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Writes lines compressed with gzip and returns the path. */
  public String gzip(String name, String... lines) {
    Path file = folder.resolve(name);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return file.toString();
  }

  /** Expects an {@link InputException} whose message is the path of the folder and then a text. */
  public AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
      String message, ThrowingCallable reading) {
    return Assertions.assertThatThrownBy(reading)
        .isInstanceOf(InputException.class)
        .hasMessage(folder.resolve("x").toString().replaceAll("x$", "") + message);
  }
}
