package dev.berth.simulator.reader;

import java.io.BufferedInputStream;
import java.io.EOFException;
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
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a text file that say something: neither blank nor a comment ({@code #} or {@code %}
 * first).
 *
 * <p>Reads UTF-8, with or without a byte-order mark, plain or gzip (told by its first bytes); lines
 * end in LF, CRLF or CR. Takes no more memory than {@link #LONGEST} whatever the file holds. Bytes
 * are decoded line by line, so an error names its very line.
 */
final class Lines implements AutoCloseable {

  /** The longest line that is read, in bytes; longer ones are an error. */
  static final int LONGEST = 1 << 20;

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
  private static final int GZIP_MAGIC = 0x1F8B;
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

  private Lines(String file, InputStream input) {
    this.file = file;
    this.input = input;
  }

  /**
   * Opens a file.
   *
   * @param file how the user named it
   * @throws InputException if that cannot be done
   */
  static Lines open(String file, Path path) {
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
    InputStream raw = null;
    try {
      raw = new BufferedInputStream(Files.newInputStream(path), BUFFER);
      return new Lines(file, isGzip(raw) ? new GZIPInputStream(raw, BUFFER) : raw);
    } catch (IOException unreadable) {
      InputException failure = unreadable(file, unreadable);
      if (raw != null) {
        try {
          raw.close();
        } catch (IOException alsoFailed) {
          failure.addSuppressed(alsoFailed);
        }
      }
      throw failure;
    }
  }

  private static boolean isGzip(InputStream input) throws IOException {
    input.mark(2);
    int magic = input.read() << 8 | input.read();
    input.reset();
    return magic == GZIP_MAGIC;
  }

  /**
   * Returns the next line that says something, without its end and without blanks around it; null
   * at the end of the file.
   *
   * @throws InputException if the line is too long or is no text, or reading fails
   */
  @Nullable String next() {
    while (readLine()) {
      String text = decode().strip();
      if (!text.isEmpty() && text.charAt(0) != '#' && text.charAt(0) != '%') {
        return text;
      }
    }
    return null;
  }

  /** Returns where the latest line stands. */
  Place place() {
    return new Place(file, number);
  }

  @Override
  public void close() {
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
      throw unreadable(file, failure);
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
        throw place().wrong("is longer than %s bytes".formatted(LONGEST));
      }
      line = Arrays.copyOf(line, Math.min(LONGEST, 2 * length));
    }
    line[length++] = next;
  }

  private String decode() {
    int from = number == 1 && startsWithMark() ? BYTE_ORDER_MARK.length : 0;
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
    } else if (failure instanceof EOFException) {
      error = Place.wrongFile(file, "ends in the middle of its compressed data", "it was cut off");
    } else if (failure instanceof ZipException) {
      error = Place.wrongFile(file, "holds damaged compressed data");
    } else {
      error = Place.wrongFile(file, "cannot be read (%s)".formatted(failure.getMessage()));
    }
    error.initCause(failure);
    return error;
  }
}
