package dev.berth.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Snapshots of every format are written as the bytes that they were read from. */
class SnapshotBytesTest {

  @ParameterizedTest
  @EnumSource
  void writesTheBytesThatItRead(SnapshotFormat format) throws IOException {
    for (int version = 1; version <= 2; version++) {
      Path file =
          Path.of("src", "test", "resources", "snapshots")
              .resolve("format-" + version + "." + format.name().toLowerCase(Locale.ROOT));
      byte[] golden = Files.readAllBytes(file);

      assertThat(format.toBytes(format.fromBytes(golden))).isEqualTo(golden);
    }
  }
}
