package dev.berth.cli.terminal;

import dev.berth.cli.error.ExitCode;
import dev.berth.report.render.Printable;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Standard output or error, in UTF-8 everywhere so that the same run prints the same bytes.
 *
 * <p>A reader that closes early ({@code | head}) is not an error; any other failure to write is.
 */
public final class StandardStream {

  private final FailureRecorder recorder;
  private final PrintWriter writer;

  public StandardStream(OutputStream stream) {
    this.recorder = new FailureRecorder(stream);
    this.writer =
        new PrintWriter(
            new OutputStreamWriter(new BufferedOutputStream(recorder), StandardCharsets.UTF_8));
  }

  /** Returns the writer to print with. */
  public PrintWriter writer() {
    return writer;
  }

  /** Drops all that is written from now on. Any thread may call it. */
  public void silence() {
    recorder.silent = true;
  }

  /**
   * Flushes the stream.
   *
   * @param name of this stream, for a message
   * @param exitCode of the command so far
   * @param errors receives the error if writing failed
   * @return the exit code of the command
   */
  public int finish(String name, int exitCode, StandardStream errors) {
    writer.flush();
    IOException failure = recorder.failure;
    if (failure == null || isReaderGone(failure)) {
      return exitCode;
    }
    String reason = Printable.line(String.valueOf(failure.getMessage()));
    errors.writer().printf("berth: %s: %s.%n", name, reason);
    return exitCode == ExitCode.DONE ? ExitCode.FAILED : exitCode;
  }

  private static boolean isReaderGone(IOException failure) {
    String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    return message.contains("pipe");
  }

  /** Remembers the first failure, which a {@code PrintWriter} would swallow. */
  private static final class FailureRecorder extends FilterOutputStream {

    private @Nullable IOException failure;
    private volatile boolean silent;

    FailureRecorder(OutputStream stream) {
      super(stream);
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      if (silent) {
        return;
      }
      try {
        out.write(bytes, from, count);
      } catch (IOException first) {
        if (failure == null) {
          failure = first;
        }
        throw first;
      }
    }
  }
}
