package dev.berth.traces.internal.util;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.apache.commons.compress.MemoryLimitException;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.apache.commons.compress.compressors.zstandard.ZstdCompressorInputStream;

/**
 * Opens files that may be compressed with gzip, xz, zstd or bzip2. The first bytes of a file
 * determine the method.
 */
public final class Compression {

  /** The memory limit of xz and zstd: twice the memory that {@code xz -9} needs. */
  private static final int MAX_MEMORY_KIB = 128 << 10;

  private static final int BUFFER = 1 << 16;
  private static final byte[] GZIP = {0x1F, (byte) 0x8B};
  private static final byte[] XZ = {(byte) 0xFD, '7', 'z', 'X', 'Z', 0};
  private static final byte[] ZSTD = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD};
  private static final byte[] BZIP2 = {'B', 'Z', 'h'};

  private Compression() {}

  /**
   * Compressed data that are damaged or need too much memory. The message is a phrase that follows
   * the name of the file.
   */
  public static final class DamagedException extends IOException {

    private static final long serialVersionUID = 1;

    private DamagedException(String rule, Throwable cause) {
      super(rule, cause);
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
        return new Guarded(new ZstdCompressorInputStream(raw)); // it limits its own windows
      }
      if (startsWith(first, BZIP2)) {
        return new Guarded(new BZip2CompressorInputStream(raw, true));
      }
    } catch (IOException | RuntimeException damaged) {
      throw described(damaged);
    }
    return raw;
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
          "needs more than %s MiB to be decompressed".formatted(MAX_MEMORY_KIB >> 10), failure);
    }
    String message = String.valueOf(failure.getMessage());
    if (failure instanceof EOFException
        || message.contains("Truncated")
        || message.contains("nexpected end")) {
      return new DamagedException("ends in the middle of its compressed data", failure);
    }
    return new DamagedException("holds damaged compressed data", failure);
  }

  /** Translates the errors of every decompressor into {@link DamagedException}. */
  private static final class Guarded extends FilterInputStream {

    Guarded(InputStream decompressed) {
      super(decompressed);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      int count = read(one, 0, 1);
      return count < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      try {
        return in.read(into, offset, length);
      } catch (IOException | RuntimeException failure) {
        throw described(failure);
      }
    }
  }
}
