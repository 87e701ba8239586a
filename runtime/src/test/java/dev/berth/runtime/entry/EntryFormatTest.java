package dev.berth.runtime.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.core.event.Event;
import dev.berth.json.UnreadableException;
import dev.berth.test.TestRun;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries are read as they were written, and damage is found or harmless. */
class EntryFormatTest {

  private static final long NOW = 1_234_567_890_123_456_789L;

  // ---- Round trips

  @Property(tries = 1_000)
  void readsWhatItWrote(@ForAll long seed) {
    Entry entry = new Samples(seed).next(Entry.class);

    byte[] bytes = EntryFormat.toBytes(entry);
    Entry read = EntryFormat.read(bytes);

    Same.requireSame(read, entry);
    assertThat(EntryFormat.toBytes(read)).isEqualTo(bytes);
  }

  @Property(tries = 1_000)
  void readsTheJsonThatItWrote(@ForAll long seed) {
    Entry entry = new Samples(seed).next(Entry.class);

    String json = EntryFormat.toJson(entry);

    Same.requireSame(EntryFormat.fromJson(json), entry);
    assertThat(EntryFormat.toJson(EntryFormat.fromJson(json))).isEqualTo(json);
    assertThat(json).doesNotContain("\n");
  }

  /** Each input, so that none depends on luck. */
  @Test
  void readsEveryEvent() {
    for (Class<?> type : Samples.recordsOf(Event.class)) {
      for (int seed = 0; seed < TestRun.cases(40); seed++) {
        Event<?> input = (Event<?>) new Samples(seed).next(type);

        Entry read = EntryFormat.read(EntryFormat.toBytes(new Entry.Applied(seed, input)));

        Same.requireSame(((Entry.Applied) read).input(), input);
      }
    }
  }

  @Test
  void writesTheSameValueAsTheSameBytes() {
    Map<String, String> one = new LinkedHashMap<>();
    Map<String, String> other = new LinkedHashMap<>();
    Set<String> ids = new TreeSet<>();
    for (int i = 0; i < 50; i++) {
      one.put("a" + i, "x");
      other.put("a" + (49 - i), "x");
      ids.add("i" + i);
    }
    Observation observed =
        new Observation(
            List.of(new ObservedHost(new HostSpec("h", Resources.none(), one))),
            List.of(),
            Set.copyOf(ids)); // whose order differs from run to run
    Observation same =
        new Observation(
            List.of(new ObservedHost(new HostSpec("h", Resources.none(), other))), List.of(), ids);

    byte[] bytes = bytes(new Event.Reconciled(observed, List.of(), List.of()));

    assertThat(bytes(new Event.Reconciled(same, List.of(), List.of()))).isEqualTo(bytes);
    assertThat(new String(bytes, StandardCharsets.ISO_8859_1))
        .containsSubsequence(ids.toArray(CharSequence[]::new));
  }

  /** A guarantee of nothing differs from no statement, which guarantees the demand. */
  @Test
  void keepsGuaranteesApart() {
    Resources demand = Resources.of(Dimension.CPU, 5);
    Request nothing = Request.builder("r", "c").demand(demand).guaranteed(Resources.none()).build();
    Request all = Request.builder("r", "c").demand(demand).guaranteed(demand).build();
    Request unsaid = Request.builder("r", "c").demand(demand).build();

    assertThat(submitted(nothing).guaranteed()).isEqualTo(Resources.none());
    assertThat(submitted(all).guaranteed()).isEqualTo(demand);
    assertThat(submitted(unsaid).guaranteed()).isEqualTo(demand);
  }

  private static Request submitted(Request request) {
    Entry read = EntryFormat.read(bytes(new Event.Submitted(request)));
    return ((Event.Submitted) ((Entry.Applied) read).input()).request();
  }

  private static byte[] bytes(Event<?> input) {
    return EntryFormat.toBytes(new Entry.Applied(NOW, input));
  }

  @Test
  void isSmall() {
    Attempt attempt = new Attempt("r-123456", 1);
    Resources demand = Resources.of(Dimension.CPU, 500_000_000, Dimension.MEMORY, 2_000_000_000L);
    List<Request> tasks = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      tasks.add(Request.builder("task-" + i, "bronze").demand(demand).job("job-1").build());
    }
    Map<String, Integer> sizes = new LinkedHashMap<>();
    sizes.put("started", bytes(new Event.Started(attempt, OptionalLong.of(NOW))).length);
    sizes.put("started, at once", bytes(new Event.Started(attempt, OptionalLong.empty())).length);
    sizes.put(
        "completed",
        bytes(new Event.Completed(attempt, Optional.empty(), OptionalLong.of(NOW))).length);
    sizes.put(
        "submit",
        bytes(new Event.Submitted(Request.builder("r-123456", "gold").demand(demand).build()))
            .length);
    sizes.put(
        "addHost",
        bytes(new Event.HostAdded(new HostSpec("host-1234", demand, Map.of("zone", "a")))).length);
    sizes.put("bag of 100", bytes(new Event.BagSubmitted(new BagSpec("b", tasks))).length);
    sizes.put("usage", bytes(new Event.UsageReported("r-123456", demand, Resources.none())).length);
    sizes.put("load", bytes(new Event.LoadReported("host-1234", 1.7)).length);
    sizes.put(
        "passed",
        EntryFormat.toBytes(new Entry.Passed(123_456, NOW, Long.MIN_VALUE, Long.MAX_VALUE)).length);
    sizes.put("settled", EntryFormat.toBytes(new Entry.Settled(new ActionId(123_456, 7))).length);

    assertThat(sizes.get("started")).isLessThan(60);
    assertThat(sizes.get("passed")).isLessThan(50);
    assertThat(sizes.get("settled")).isLessThan(20);
    assertThat(sizes.get("bag of 100")).isLessThan(4_000);
  }

  @Test
  void refusesTextWithHalfACharacter() {
    for (String id : List.of("a\ud800", "\udc00", "x".repeat(10_000) + "\ud800y")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> bytes(new Event.HostCordoned(id)))
          .withMessageEndingWith(" has half a character, which has no UTF-8.");
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  bytes(new Event.HostAdded(new HostSpec("h", Resources.none(), Map.of(id, "")))));
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  bytes(new Event.ForeignLoadReported("h", Resources.of(new Dimension(id, 1), 1))));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> EntryFormat.toJson(new Entry.Applied(1, new Event.HostCordoned(id))));
    }
  }

  // ---- Evolution

  @Test
  void refusesLaterVersions() {
    byte[] bytes = bytes(new Event.HostCordoned("h"));
    bytes[0] = 2;
    refuses(
        bytes,
        "entry is of format 2, this version of Berth reads formats up to 1. Maybe use a later version of Berth.");
    bytes[0] = (byte) 200;
    refuses(
        bytes,
        "entry is of format 200, this version of Berth reads formats up to 1. Maybe use a later version of Berth.");
    bytes[0] = 0;
    refuses(bytes, "entry is of format 0, must be from 1 to 1.");
    refuses(new byte[0], "entry is empty, must begin with the version of its format.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Entry.Opened(2, "9.9", new Samples(1).next(Settings.class)))
        .withMessageContaining("entry is of format 2, this version of Berth reads formats up to 1");
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    refusesJson(
        "{\"Applied\":{\"now\":1,\"input\":{\"Cordon\":{\"host\":\"h\",\"till\":5}}}}",
        "Entry is damaged: Applied.input.Cordon has an unknown member till.");
    refusesJson(
        "{\"Applied\":{\"now\":1,\"input\":{\"Explode\":{}}}}",
        "Entry is damaged: Applied.input is of the unknown type Explode.");
    refusesJson("{\"Applied\":{\"now\":1}}", "Entry is damaged: Applied has no input.");
    refusesJson(
        "{\"Applied\":{\"input\":{\"Started\":{\"attempt\":{\"instance\":\"r\"}}}}}",
        "Entry is damaged: Applied.input.Started.attempt is refused: attempt of instance r: number was 0, must be 1 or more.");
    refusesJson(
        "{\"Applied\":{\"input\":{\"Submit\":{\"request\":{\"id\":\"r\",\"serviceClass\":\"c\",\"antiAffinity\":true}}}}}",
        "Entry is damaged: Applied.input.Submit.request is refused: request r requires anti-affinity but belongs to no job. Maybe set job(...) too.");
    refusesJson(
        "{\"Applied\":{\"input\":{\"AddHost\":{\"spec\":{\"id\":\"h\",\"capacity\":{\"cpu\":-4}}}}}}",
        "Entry is damaged: Applied.input.AddHost.spec.capacity is refused: cpu was -0.000000004, must not be negative.");
    refusesJson(
        "{\"Applied\":{\"input\":{\"SetBudget\":{\"job\":\"j\",\"budget\":{\"limit\":\"SOME\"}}}}}",
        "Entry is damaged: Applied.input.SetBudget.budget.limit was SOME, must be one of [MAX_DOWN, MIN_UP].");
    refusesJson(
        "{\"Settled\":{\"action\":{\"pass\":1}},\"Passed\":{}}",
        "Entry is damaged: must be of one type.");
    refusesJson(
        "{\"Settled\":{\"action\":{\"pass\":1}}} 5",
        "Entry is damaged: must end, but something follows.");
    refusesJson("{}", "Entry is damaged: must name one of [Applied, Opened, Passed, Settled].");
    refusesJson("", "Entry is damaged: ends too early.");
    refusesJson(
        "{\"Applied\":{\"input\":{\"Cordon\":{\"host\":\"\\ud800\"}}}}",
        "Entry is damaged: Applied.input.Cordon.host has half a character.");
    refusesJson("[]", "Entry is damaged: must be an object.");
  }

  /** Member 250 is in no version yet. */
  @Test
  void refusesUnknownNumbers() {
    // {0: {1: 5, 250: 1}}
    refuses(
        hex("01 a1 00 a2 01 05 18fa 01"), "Entry is damaged: Applied has an unknown member 250.");
    refuses(hex("01 a1 18fa a0"), "Entry is damaged: is of the unknown type 250.");
  }

  private static void refuses(byte[] bytes, String message) {
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> EntryFormat.read(bytes))
        .withMessage(message);
  }

  private static void refusesJson(String json, String message) {
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> EntryFormat.fromJson(json))
        .withMessage(message);
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  // ---- Damage

  @Property(tries = 100)
  void refusesEveryTruncation(@ForAll long seed) {
    byte[] bytes = EntryFormat.toBytes(new Samples(seed).next(Entry.class));
    int step = 1 + bytes.length / 200; // of long ones, some
    for (int length = 0; length < bytes.length; length += step) {
      byte[] torn = Arrays.copyOf(bytes, length);
      assertThatExceptionOfType(UnreadableException.class).isThrownBy(() -> EntryFormat.read(torn));
    }
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    assertThatExceptionOfType(UnreadableException.class).isThrownBy(() -> EntryFormat.read(longer));
  }

  @Property(tries = 500)
  void flippedBitsAreFoundOrMakeAnotherEntry(@ForAll long seed) {
    byte[] bytes = EntryFormat.toBytes(new Samples(seed).next(Entry.class));
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 50; i++) {
      byte[] damaged = bytes.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      }
      readOrRefuse(damaged);
    }
  }

  @Property(tries = 1_000)
  void otherBytesAreRefusedOrMakeAnEntry(@ForAll byte[] bytes) {
    byte[] all = new byte[bytes.length + 1];
    System.arraycopy(bytes, 0, all, 1, bytes.length);
    all[0] = EntryFormat.VERSION;
    readOrRefuse(all);
  }

  /** Sizes that the bytes claim, but do not have. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "01 a1 00 a2 01 05 02 a1 18 1d a1 18 1a 7a 7fffffff 61", // text
        "01 a1 00 a2 01 05 02 a1 18 1d a1 18 1a 7b 7fffffffffffffff 61",
        "01 a1 00 a2 01 5b 7fffffffffffffff", // bytes
        "01 a1 00 a2 01 c2 5a 7fffffff 01", // a great number
        "01 a1 00 a2 01 c2 5b 7fffffffffffffff 01",
        "01 bb 7fffffffffffffff 00", // an object
        "01 bb ffffffffffffffff 00",
        "01 9b 7fffffffffffffff",
        "01 9f 9f 9f", // lists without an end
        "01 d90100 a1 d819 1a 7fffffff a0", // a reference to text that is not there
        "01 d90100 a1 d819 20 a0",
        "01 d819 00",
        "01 bf 7f 7a 7fffffff",
        "01 7b ffffffffffffffff",
        "01 f6",
        "01 f7",
        "01 ff",
        "01 fc",
        "01 1f"
      })
  void refusesFalseSizes(String text) {
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> readOrRefuse(hex(text), true));
  }

  @Test
  void refusesDeepNesting() {
    byte[] deep = new byte[1_000_000];
    Arrays.fill(deep, (byte) 0x9f);
    deep[0] = EntryFormat.VERSION;
    assertThatExceptionOfType(UnreadableException.class).isThrownBy(() -> readOrRefuse(deep, true));
    byte[] tags = new byte[1_000_000];
    Arrays.fill(tags, (byte) 0xc1);
    tags[0] = EntryFormat.VERSION;
    assertThatExceptionOfType(UnreadableException.class).isThrownBy(() -> readOrRefuse(tags, true));
  }

  private static void readOrRefuse(byte[] bytes) {
    readOrRefuse(bytes, false);
  }

  /** Reads bytes, which must not take much memory, and throws no other error than the one. */
  private static void readOrRefuse(byte[] bytes, boolean refuse) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    try {
      Entry read = EntryFormat.read(bytes);
      Same.requireSame(EntryFormat.read(EntryFormat.toBytes(read)), read);
    } catch (UnreadableException found) {
      if (refuse) {
        throw found;
      }
    } finally {
      assertThat(threads.getCurrentThreadAllocatedBytes() - before)
          .isLessThan(20_000_000 + 100L * bytes.length);
    }
  }

  /** Text of many sizes, which CBOR writes in several ways. */
  @Test
  void readsTextOfAllSizes() {
    for (int length : List.of(1, 23, 24, 255, 256, 4_000, 8_000, 65_536, 200_000)) {
      for (String unit : List.of("a", "½", "☃", "😀")) {
        String text = unit.repeat(length);
        Event<?> input =
            new Event.HostAdded(
                new HostSpec(text, Resources.none(), Map.of(text, text + "!", "b", text)));
        Same.requireSame(((Entry.Applied) EntryFormat.read(bytes(input))).input(), input);
      }
    }
    Constraint constraint = new Constraint.In("a", Set.of("x", "y"));
    Request request =
        Request.builder("r", "c").demand(Resources.none()).constraint(constraint).build();
    assertThat(submitted(request).constraints()).containsExactly(constraint);
  }
}
