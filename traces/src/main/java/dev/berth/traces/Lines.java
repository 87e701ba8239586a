package dev.berth.traces;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a text file that say something: neither blank nor a comment ({@code #} or {@code %}
 * first).
 *
 * <p>Reads UTF-8, with or without a byte-order mark, plain or compressed with gzip, xz, zstd or
 * bzip2 (told by its first bytes); lines end in LF, CRLF or CR. Takes no more memory than {@link
 * #LONGEST}, and what the decompression needs, whatever the file holds. Bytes are decoded line by
 * line, so an error names its very line.
 */
public final class Lines implements AutoCloseable {

  /** The longest line that is read, in bytes; longer ones are an error. */
  public static final int LONGEST = 1 << 20;

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
  private static final int BUFFER = 1 << 16;

  private final String file;
  private final InputStream input;
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8.newDecoder(); // reports, not repairs
  private final byte[] buffer = new byte[BUFFER];
  private int position;
  private int filled;
  private byte[] line = new byte[512];
  private int length;
  private long number;
  private boolean afterCarriageReturn;
  private final LongConsumer count;
  private long said;
  private @Nullable InputException end;

  private Lines(String file, InputStream input, LongConsumer count) {
    this.file = file;
    this.input = input;
    this.count = count;
  }

  /**
   * Opens a file.
   *
   * @param file how the user named it
   * @throws InputException if that cannot be done
   */
  static Lines open(String file, Path path) {
    return open(file, path, lines -> {});
  }

  /**
   * Opens a file.
   *
   * @param file how the user named it
   * @param count is told at the end how many lines said something
   * @throws InputException if that cannot be done
   */
  static Lines open(String file, Path path, LongConsumer count) {
    if (Files.isDirectory(path)) {
      throw Place.wrongFile(file, "is a directory, must be a file");
    }
    if (!Files.exists(path)) {
      throw Place.wrongFile(file, "does not exist");
    }
    if (!Files.isRegularFile(path)) {
      throw Place.wrongFile(
          file, "is no regular file; it is read more than once", "save it to a file first");
    }
    try {
      return new Lines(file, Compression.open(path), count);
    } catch (IOException unreadable) {
      throw unreadable(file, unreadable);
    }
  }

  /**
   * Returns the next line that says something, without its end and without blanks around it; null
   * at the end of the file.
   *
   * @throws InputException if the line is no text, after which the next call goes on behind it; or
   *     if it is too long or reading fails, which {@linkplain InputException#endsReading ends the
   *     reading}
   */
  public @Nullable String next() {
    if (end != null) {
      throw end;
    }
    while (readLine()) {
      String text = decode().strip();
      if (!text.isEmpty() && text.charAt(0) != '#' && text.charAt(0) != '%') {
        said++;
        return text;
      }
    }
    return null;
  }

  /** Returns where the latest line stands. */
  public Place place() {
    return new Place(file, number);
  }

  @Override
  public void close() {
    count.accept(said);
    said = 0;
    try {
      input.close();
    } catch (IOException harmless) {
      // All that was wanted has been read.
    }
  }

  /** Reads the bytes of one line; returns false at the end of the file. */
  private boolean readLine() {
    length = 0;
    number++;
    try {
      for (int next = read(); next >= 0; next = read()) {
        if (next == '\n' && afterCarriageReturn) {
          afterCarriageReturn = false;
          continue; // the rest of the end of the line before
        }
        afterCarriageReturn = next == '\r';
        if (next == '\n' || next == '\r') {
          return true;
        }
        append((byte) next);
      }
    } catch (IOException failure) {
      end = unreadable(file, failure);
      throw end;
    }
    return length > 0;
  }

  /** Returns the next byte, or -1 at the end. */
  private int read() throws IOException {
    if (position == filled) {
      filled = input.read(buffer);
      position = 0;
      if (filled <= 0) {
        filled = 0;
        return -1;
      }
    }
    return buffer[position++] & 0xFF;
  }

  private void append(byte next) {
    if (length == line.length) {
      if (length == LONGEST) {
        end = place().wrong("is longer than %s bytes".formatted(LONGEST)).endingReading();
        throw end;
      }
      line = Arrays.copyOf(line, Math.min(LONGEST, 2 * length));
    }
    line[length++] = next;
  }

  private String decode() {
    int from = number == 1 && startsWithMark() ? BYTE_ORDER_MARK.length : 0;
    if (isPlain(from)) {
      return new String(line, from, length - from, StandardCharsets.ISO_8859_1);
    }
    String text;
    try {
      text = decoder.decode(ByteBuffer.wrap(line, from, length - from)).toString();
    } catch (CharacterCodingException notText) {
      throw notText();
    }
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each != '\t' && Character.isISOControl(each)) {
        throw notText();
      }
    }
    return text;
  }

  /** Returns whether all is printable ASCII, as most lines are. */
  private boolean isPlain(int from) {
    for (int i = from; i < length; i++) {
      if ((line[i] < ' ' && line[i] != '\t') || line[i] == 0x7F) {
        return false;
      }
    }
    return true;
  }

  private boolean startsWithMark() {
    return length >= BYTE_ORDER_MARK.length
        && Arrays.equals(
            line, 0, BYTE_ORDER_MARK.length, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length);
  }

  private InputException notText() {
    return place().wrong("is no text in UTF-8", "the file is binary or in another encoding");
  }

  private static InputException unreadable(String file, IOException failure) {
    InputException error;
    if (failure instanceof AccessDeniedException) {
      error = Place.wrongFile(file, "may not be read");
    } else if (failure instanceof Compression.DamagedException) {
      String rule = String.valueOf(failure.getMessage());
      error =
          rule.startsWith("ends")
              ? Place.wrongFile(file, rule, "it was cut off")
              : Place.wrongFile(file, rule);
    } else {
      error = Place.wrongFile(file, "cannot be read (%s)".formatted(failure.getMessage()));
    }
    error.initCause(failure);
    return error;
  }
}
