package dev.berth.fuzzing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.fail;

import com.google.common.primitives.Bytes;
import dev.berth.test.TestRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Changes the checked-in inputs at random, from a seed, and reads them. Other than Jazzer's, these
 * inputs may be long, and they hold what file formats get wrong.
 */
class MutatedInputsTest {

  /** How many inputs each target reads. */
  private static final int INPUTS = Integer.getInteger("berth.fuzz.mutations", TestRun.cases(500));

  private static final int MOST_CHANGES = 4;
  private static final int LONGEST_REPEAT = 20_000;

  private static final List<String> ODD =
      List.of(
          "NaN",
          "Infinity",
          "-0",
          "+5",
          "1e999",
          "-1e999",
          "1e-999",
          "0x10",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "99999999999999999999",
          ".5",
          "5.",
          "1_0",
          "\u0665",
          "\uff11",
          "\u0130",
          "null",
          "true",
          "[]",
          "{}",
          "[[[[",
          "{\"a\":",
          "\"",
          "\"\"",
          "'",
          "\\",
          "\\u0000",
          "\u0000",
          "\u001b[2J",
          "\u202e",
          "\ufeff",
          "\ud83d\ude00",
          "\r",
          "\r\n",
          "\n\n",
          "\t",
          " ",
          ",",
          ",,,,",
          ";",
          ":",
          "::",
          "=",
          "=cmd|' /C calc'!A0",
          "#",
          "%s%n",
          "../..",
          "/",
          "P1D",
          "1h1h",
          "1ns",
          "292y",
          "-1s",
          "1d",
          "id",
          "cpu",
          "time");

  @ParameterizedTest
  @EnumSource
  void inputsSucceedOrFailClearly(Target target) throws IOException {
    List<byte[]> seeds = seeds(target);
    long seed = TestRun.seed();
    for (int i = 0; i < INPUTS; i++) {
      Random random = new Random(seed * 1_000_003 + i);
      byte[] input = mutated(seeds, random);
      try {
        target.run(input);
      } catch (RuntimeException | Error failure) {
        Path kept = Path.of("target", "mutated", target.id() + "-" + i);
        Files.createDirectories(kept.getParent());
        Files.write(kept, input);
        fail(
            "Input %s of seed %s is in %s. To repeat it: %s -Pfuzz"
                .formatted(
                    i,
                    seed,
                    kept,
                    TestRun.repeat(getClass().getName(), "inputsSucceedOrFailClearly")),
            failure);
      }
    }
  }

  private static List<byte[]> seeds(Target target) throws IOException {
    try (Stream<Path> files = Files.list(target.corpus())) {
      List<byte[]> seeds = new ArrayList<>();
      for (Path each : files.sorted().toList()) {
        seeds.add(Files.readAllBytes(each));
      }
      return seeds;
    }
  }

  private static byte[] mutated(List<byte[]> seeds, Random random) {
    byte[] input = any(seeds, random);
    for (int changes = 1 + random.nextInt(MOST_CHANGES); changes > 0; changes--) {
      input = changed(input, seeds, random);
    }
    return input;
  }

  private static byte[] changed(byte[] input, List<byte[]> seeds, Random random) {
    int from = random.nextInt(input.length + 1);
    int to = from + random.nextInt(Math.min(input.length - from, 40) + 1);
    byte[] odd = any(ODD, random).getBytes(UTF_8);
    return switch (random.nextInt(9)) {
      case 0 -> replaced(input, from, to, new byte[0]);
      case 1 -> replaced(input, from, to, odd);
      case 2 -> replaced(input, from, from, odd);
      case 3 -> replaced(input, from, from, repeated(Arrays.copyOfRange(input, from, to), random));
      case 4 -> replaced(input, from, to, repeated(odd, random));
      case 5 -> replaced(input, from, to, new byte[] {(byte) random.nextInt(256)});
      case 6 -> flipped(input, random);
      case 7 -> Arrays.copyOf(input, from);
      default -> {
        byte[] other = any(seeds, random);
        int start = random.nextInt(other.length + 1);
        yield Bytes.concat(
            Arrays.copyOf(input, from), Arrays.copyOfRange(other, start, other.length));
      }
    };
  }

  private static byte[] replaced(byte[] input, int from, int to, byte[] with) {
    return Bytes.concat(
        Arrays.copyOf(input, from), with, Arrays.copyOfRange(input, to, input.length));
  }

  /** Mostly a few times, sometimes very often. */
  private static byte[] repeated(byte[] part, Random random) {
    int most = random.nextInt(50) == 0 ? LONGEST_REPEAT : 20;
    byte[] all = new byte[part.length * (1 + random.nextInt(most))];
    for (int i = 0; i < all.length; i++) {
      all[i] = part[i % part.length];
    }
    return all;
  }

  private static byte[] flipped(byte[] input, Random random) {
    byte[] flipped = input.clone();
    if (flipped.length > 0) {
      flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return flipped;
  }

  private static <T> T any(List<T> choices, Random random) {
    return choices.get(random.nextInt(choices.size()));
  }
}
