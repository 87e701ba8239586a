package dev.berth.runtime.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.core.Scheduler;
import dev.berth.json.UnreadableException;
import dev.berth.json.ValueFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a loop saves is read as what it meant, by this version and later ones. */
class SavedStateTest {

  private static final Path GOLDEN = Path.of("src", "test", "resources", "entries", "saved-1.txt");
  private static final ValueFormat<SavedState.Loop> FORMAT = ValueFormat.of(SavedState.Loop.class);

  private static SavedState.Loop sample(int seed) {
    Samples samples = new Samples(seed);
    List<SavedState.OpenAction> open = new ArrayList<>();
    kinds(Action.class)
        .forEach(
            each ->
                open.add(
                    new SavedState.OpenAction(
                        new ActionId(seed, open.size()), (Action) samples.next(each))));
    return new SavedState.Loop(samples.next(Settings.class), open);
  }

  private static Stream<Class<?>> kinds(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(SavedStateTest::kinds)
        : Stream.of(type);
  }

  /** Each line is as in {@link GoldenEntriesTest}. */
  @Test
  void openActionsOfEveryKindAreReadAsTheyWereWritten() throws IOException {
    if (Boolean.getBoolean("berth.golden.update")) {
      Files.write(
          GOLDEN,
          Stream.of(1, 2, 3)
              .map(SavedStateTest::sample)
              .map(
                  each -> HexFormat.of().formatHex(FORMAT.toCbor(each)) + " " + FORMAT.toJson(each))
              .toList());
    }
    Set<Class<?>> seen = new HashSet<>();
    for (String line : Files.readAllLines(GOLDEN)) {
      String hex = line.substring(0, line.indexOf(' '));

      SavedState.Loop read = FORMAT.fromCbor(HexFormat.of().parseHex(hex));

      assertThat(FORMAT.toJson(read)).isEqualTo(line.substring(line.indexOf(' ') + 1));
      assertThat(HexFormat.of().formatHex(FORMAT.toCbor(read))).isEqualTo(hex);
      read.open().forEach(each -> seen.add(each.action().getClass()));
    }
    assertThat(seen).containsAll(kinds(Action.class).distinct().toList());
  }

  private static SavedState state() {
    SavedState.Loop loop = sample(7);
    Scheduler scheduler =
        Scheduler.builder()
            .policy("p", context -> context.pipeline().build())
            .serviceClasses(ServiceClass.builder("gold").build())
            .build();
    return new SavedState(loop.settings(), loop.open(), scheduler.snapshot());
  }

  private static byte[] bytes() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    state().writeTo(out);
    return out.toByteArray();
  }

  @Test
  void allOfItComesBack() throws IOException {
    SavedState saved = state();
    SavedState read = SavedState.readFrom(new ByteArrayInputStream(bytes()));

    assertThat(read.open()).isEqualTo(saved.open());
    assertThat(read.settings()).isEqualTo(saved.settings());
    assertThat(read.scheduler().digest()).isEqualTo(saved.scheduler().digest());
  }

  @Test
  void aLaterFormatAndDamageAreRefused() throws IOException {
    byte[] later = bytes();
    later[0] = 9;
    assertThatThrownBy(() -> SavedState.readFrom(new ByteArrayInputStream(later)))
        .isInstanceOf(UnreadableException.class);
    byte[] damaged = bytes();
    damaged[1] = 0x7f; // the length of the first part
    assertThatThrownBy(() -> SavedState.readFrom(new ByteArrayInputStream(damaged)))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("first part");
  }
}
