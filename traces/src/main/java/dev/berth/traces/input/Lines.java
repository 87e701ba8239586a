package dev.berth.traces.input;

import dev.berth.traces.internal.util.Compression;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a text file, without blank lines and comments. A comment begins with {@code #} or
 * {@code %} and may be in any encoding; so may the comments of formats that begin with {@code ;},
 * which are returned.
 *
 * <p>The file is UTF-8 with or without a byte-order mark, either plain or compressed with gzip, xz,
 * zstd or bzip2. Lines end in LF, CRLF or CR. Memory use is limited to {@link #LONGEST} plus the
 * needs of the decompressor. Bytes are decoded line by line, so that an error names the line.
 */
public final class Lines implements EntryReader<String> {

  /** The length limit of a line in bytes. A longer line is an error. */
  public static final int LONGEST = 1 << 20;

  /**
   * How many more bytes of blank lines and comments than of other lines a file may have. A few
   * megabytes of compressed blank lines would be read for minutes.
   */
  private static final long MOST_SILENT = 16 << 20;

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
  private static final int BUFFER = 1 << 16;

  private final String file;
  private final InputStream input;
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8.newDecoder(); // reports malformed input
  private final byte[] buffer = new byte[BUFFER];
  private int position;
  private int filled;
  private byte[] line = new byte[512];
  private int length;
  private long number;
  private boolean afterCarriageReturn;
  private final LongConsumer count;
  private long returned;
  private long silent; // bytes of blank lines and comments, less those of other lines
  private @Nullable InputException end;

  private Lines(String file, InputStream input, LongConsumer count) {
    this.file = file;
    this.input = input;
    this.count = count;
  }

  /**
   * Opens a file.
   *
   * @throws InputException if the file cannot be opened
   */
  static Lines open(Content content) {
    return open(content, lines -> {});
  }

  /**
   * Opens a file.
   *
   * @param count receives the number of lines returned when the lines are closed
   * @throws InputException if the file cannot be opened
   */
  static Lines open(Content content, LongConsumer count) {
    String file = content.file();
    if (content.isFolder()) {
      throw InputException.ofFile(file, "is a directory, must be a file");
    }
    if (!content.exists()) {
      throw InputException.ofFile(file, "does not exist");
    }
    if (!content.isRegularFile()) {
      throw InputException.ofFile(
          file,
          "is not a regular file, and files are read more than once",
          "save it to a file first");
    }
    try {
      return new Lines(file, Compression.open(content.open()), count);
    } catch (IOException unreadable) {
      throw unreadable(file, unreadable);
    }
  }

  /**
   * Returns the next line that is neither blank nor a comment, without its line end and surrounding
   * blanks; null at the end of the file.
   *
   * @throws InputException if the line is not text, in which case the next call resumes after it;
   *     or if the line is too long, too much says nothing or reading fails, which {@linkplain
   *     InputException#endsReading ends the reading}
   */
  @Override
  public @Nullable String next() {
    if (end != null) {
      throw end;
    }
    while (readLine()) {
      String text = isComment() ? "" : decode().strip();
      if (!text.isEmpty()) {
        returned++;
        silent -= length + 1L;
        return text;
      }
      silent += length + 1L;
      if (silent > MOST_SILENT) {
        end =
            location()
                .error(
                    "follows %s MiB more of blank lines and comments than of other lines, as no trace does"
                        .formatted(MOST_SILENT >> 20),
                    "remove them")
                .endingReading();
        throw end;
      }
    }
    return null;
  }

  /** Returns the location of the latest line. */
  @Override
  public SourceLocation location() {
    return new SourceLocation(file, number);
  }

  @Override
  public void close() {
    count.accept(returned);
    returned = 0;
    try {
      input.close();
    } catch (IOException harmless) {
      // Reading is complete.
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
          continue; // second half of CRLF
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
        end = location().error("is longer than %s bytes".formatted(LONGEST)).endingReading();
        throw end;
      }
      line = Arrays.copyOf(line, Math.min(LONGEST, 2 * length));
    }
    line[length++] = next;
  }

  private int start() {
    return number == 1 && startsWithMark() ? BYTE_ORDER_MARK.length : 0;
  }

  /** Returns the first byte that is no blank, or a blank if there is none. */
  private byte firstByte() {
    for (int i = start(); i < length; i++) {
      if (line[i] != ' ' && line[i] != '\t') {
        return line[i];
      }
    }
    return ' ';
  }

  private boolean isComment() {
    byte first = firstByte();
    return first == '#' || first == '%';
  }

  private String decode() {
    int from = start();
    if (isPlain(from)) {
      return new String(line, from, length - from, StandardCharsets.ISO_8859_1);
    }
    String text;
    try {
      text = decoder.decode(ByteBuffer.wrap(line, from, length - from)).toString();
    } catch (CharacterCodingException notText) {
      if (firstByte() != ';') {
        throw notText();
      }
      text = new String(line, from, length - from, StandardCharsets.ISO_8859_1);
    }
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each != '\t' && Character.isISOControl(each)) {
        throw notText();
      }
    }
    return text;
  }

  /** Returns whether the line is printable ASCII, as most lines are, which needs no decoder. */
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
    return location().error("is not text in UTF-8", "the file is binary or in another encoding");
  }

  private static InputException unreadable(String file, IOException failure) {
    InputException error;
    if (failure instanceof AccessDeniedException) {
      error = InputException.ofFile(file, "may not be read");
    } else if (failure instanceof Compression.DamagedException damaged) {
      String rule = String.valueOf(damaged.getMessage());
      error =
          damaged
              .hint()
              .map(hint -> InputException.ofFile(file, rule, hint))
              .orElseGet(() -> InputException.ofFile(file, rule));
    } else {
      error = InputException.ofFile(file, "cannot be read (%s)".formatted(failure.getMessage()));
    }
    error.initCause(failure);
    return error;
  }
}
