package dev.berth.traces.internal.util;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.compress.MemoryLimitException;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.apache.commons.compress.compressors.zstandard.ZstdCompressorInputStream;
import org.apache.commons.compress.utils.InputStreamStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Opens files that may be compressed with gzip, xz, zstd or bzip2. The first bytes of a file
 * determine the method.
 */
public final class Compression {

  /** The memory limit of xz and zstd: twice the memory that {@code xz -9} needs. */
  private static final int MAX_MEMORY_KIB = 128 << 10;

  /**
   * The size that decompressed data may always have, and how many times the size of the compressed
   * data in addition. The traces that are published grow 5 to 20 times, and gzip cannot exceed the
   * limit.
   */
  private static final long FREE_BYTES = 16 << 20;

  private static final long MAX_GROWTH = 1_032;
  private static final int BUFFER = 1 << 16;
  private static final byte[] GZIP = {0x1F, (byte) 0x8B};
  private static final byte[] XZ = {(byte) 0xFD, '7', 'z', 'X', 'Z', 0};
  private static final byte[] ZSTD = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD};
  private static final byte[] BZIP2 = {'B', 'Z', 'h'};

  private Compression() {}

  /**
   * Compressed data that cannot be read: they are damaged, too large, or the decompressor is
   * unavailable. The message is a phrase that follows the name of the file.
   */
  public static final class DamagedException extends IOException {

    private static final long serialVersionUID = 1;

    private final @Nullable String hint;

    private DamagedException(String rule, Optional<String> hint, @Nullable Throwable cause) {
      super(rule, cause);
      this.hint = hint.orElse(null);
    }

    /** Returns what may be the cause, to follow the word "Maybe"; empty without a guess. */
    public Optional<String> hint() {
      return Optional.ofNullable(hint);
    }
  }

  /**
   * Decompresses the bytes of a file if necessary.
   *
   * @param file the bytes, which are closed if this fails
   * @throws IOException if the file cannot be read; reading throws a {@link DamagedException} if
   *     the compressed data cannot be read
   */
  public static InputStream open(InputStream file) throws IOException {
    InputStream raw = new BufferedInputStream(file, BUFFER);
    try {
      return plain(raw);
    } catch (IOException | RuntimeException failure) {
      raw.close();
      throw failure;
    }
  }

  private static InputStream plain(InputStream raw) throws IOException {
    raw.mark(XZ.length);
    byte[] first = raw.readNBytes(XZ.length);
    raw.reset();
    try {
      if (startsWith(first, GZIP)) {
        return new Guarded(
            GzipCompressorInputStream.builder()
                .setInputStream(raw)
                .setDecompressConcatenated(true)
                .get());
      }
      if (startsWith(first, XZ)) {
        return new Guarded(
            XZCompressorInputStream.builder()
                .setInputStream(raw)
                .setDecompressConcatenated(true)
                .setMemoryLimitKiB(MAX_MEMORY_KIB)
                .get());
      }
      if (startsWith(first, ZSTD)) {
        return new Guarded(
            loading("zstd", () -> new ZstdCompressorInputStream(raw))); // limits its own windows
      }
      if (startsWith(first, BZIP2)) {
        return new Guarded(new BZip2CompressorInputStream(raw, true));
      }
    } catch (IOException | RuntimeException damaged) {
      throw described(damaged);
    }
    return raw;
  }

  /** Creates a decompressor. */
  @FunctionalInterface
  interface Opener<T extends InputStream> {
    T open() throws IOException;
  }

  /**
   * Creates a decompressor that loads a native library from the folder for temporary files.
   *
   * @throws DamagedException if the library cannot be loaded
   */
  static <T extends InputStream> T loading(String method, Opener<T> opener) throws IOException {
    try {
      return opener.open();
    } catch (LinkageError unavailable) { // another one in every later attempt
      throw new DamagedException(
          "is compressed with %s, whose library cannot be loaded".formatted(method),
          Optional.of(
              "the folder for temporary files cannot be written (-Djava.io.tmpdir); otherwise"
                  + " decompress the file first"),
          unavailable);
    }
  }

  private static boolean startsWith(byte[] bytes, byte[] magic) {
    return bytes.length >= magic.length
        && Arrays.equals(bytes, 0, magic.length, magic, 0, magic.length);
  }

  private static IOException described(Exception failure) {
    if (failure instanceof DamagedException already) {
      return already;
    }
    if (failure instanceof MemoryLimitException
        || failure.getCause() instanceof MemoryLimitException) {
      return new DamagedException(
          "needs more than %s MiB to be decompressed".formatted(MAX_MEMORY_KIB >> 10),
          Optional.empty(),
          failure);
    }
    String message = String.valueOf(failure.getMessage());
    if (failure instanceof EOFException
        || message.contains("Truncated")
        || message.contains("nexpected end")) {
      return new DamagedException(
          "ends in the middle of its compressed data", Optional.of("it was cut off"), failure);
    }
    return new DamagedException("holds damaged compressed data", Optional.empty(), failure);
  }

  /** Limits every decompressor, and translates its errors into {@link DamagedException}. */
  private static final class Guarded extends FilterInputStream {

    private final InputStreamStatistics counts;

    <T extends InputStream & InputStreamStatistics> Guarded(T decompressed) {
      super(decompressed);
      this.counts = decompressed;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      int count = read(one, 0, 1);
      return count < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int count;
      try {
        count = in.read(into, offset, length);
      } catch (IOException | RuntimeException failure) {
        throw described(failure);
      }
      if (counts.getUncompressedCount() > FREE_BYTES + MAX_GROWTH * counts.getCompressedCount()) {
        throw new DamagedException(
            "is more than %s MiB and %s times its size when decompressed"
                .formatted(FREE_BYTES >> 20, MAX_GROWTH),
            Optional.of("decompress it first, if it is genuine"),
            null);
      }
      return count;
    }
  }
}
