package dev.berth.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Dimension;
import dev.berth.api.Preference;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Slo;
import dev.berth.api.plan.Action;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Values of the API in CBOR and JSON. */
class ValueFormatTest {

  /** A record of all kinds of values that are left out when they are empty. */
  public record All(
      long number,
      int small,
      boolean flag,
      double fraction,
      String text,
      Duration length,
      Optional<String> maybe,
      Optional<Resources> nothing,
      OptionalInt some,
      OptionalDouble part,
      OptionalLong more,
      List<List<Long>> lists,
      Set<Reason.Kind> kinds,
      Map<String, Duration> lengths,
      Resources amounts) {}

  private static final ValueFormat<All> ALL = ValueFormat.of(All.class);

  private static final All EMPTY =
      new All(
          0,
          0,
          false,
          0,
          "",
          Duration.ZERO,
          Optional.empty(),
          Optional.empty(),
          OptionalInt.empty(),
          OptionalDouble.empty(),
          OptionalLong.empty(),
          List.of(),
          Set.of(),
          Map.of(),
          Resources.none());

  private static final All FULL =
      new All(
          -1,
          7,
          true,
          -0.0,
          "½ ☃ 😀",
          Duration.ofSeconds(Long.MIN_VALUE, 1),
          Optional.of(""),
          Optional.of(Resources.none()),
          OptionalInt.of(0),
          OptionalDouble.of(Double.NaN),
          OptionalLong.of(0),
          List.of(List.of(), List.of(0L)),
          Set.of(Reason.Kind.NOT_CURABLE, Reason.Kind.POLICY_ERROR),
          Map.of("b", Duration.ZERO, "", Duration.ofNanos(-5)),
          Resources.of(new Dimension("gpu", 1), 2, Dimension.CPU, 3));

  @Test
  void leavesOutOnlyWhatIsEmpty() {
    assertThat(ALL.toJson(EMPTY)).isEqualTo("{\"fraction\":0.0,\"text\":\"\"}");
    assertThat(ALL.toJson(FULL))
        .isEqualTo(
            "{\"number\":-1,\"small\":7,\"flag\":true,\"fraction\":-0.0,\"text\":\"½ ☃ 😀\",\"length\":-9223372036854775807999999999,\"maybe\":\"\",\"nothing\":{},\"some\":0,\"part\":\"NaN\",\"more\":0,\"lists\":[[],[0]],\"kinds\":"
                + (Reason.Kind.NOT_CURABLE.compareTo(Reason.Kind.POLICY_ERROR) < 0
                    ? "[\"NOT_CURABLE\",\"POLICY_ERROR\"]"
                    : "[\"POLICY_ERROR\",\"NOT_CURABLE\"]")
                + ",\"lengths\":{\"\":-5,\"b\":0},\"amounts\":{\"cpu\":3,\"gpu\":[2,1]}}");
    for (All each : List.of(EMPTY, FULL)) {
      assertThat(ALL.fromCbor(ALL.toCbor(each))).isEqualTo(each);
      assertThat(ALL.fromJson(ALL.toJson(each))).isEqualTo(each);
    }
  }

  /** The order in which a map or a set was filled does not count. */
  @Test
  void writesTheSameValueAsTheSameText() {
    Map<String, Duration> lengths = new LinkedHashMap<>();
    Set<Reason.Kind> kinds = new LinkedHashSet<>();
    for (String each : List.of("b", "c", "a")) {
      lengths.put(each, Duration.ZERO);
    }
    Reason.Kind[] constants = Reason.Kind.values();
    for (int i = constants.length - 1; i >= 0; i--) {
      kinds.add(constants[i]);
    }
    All value =
        new All(
            0,
            0,
            false,
            0,
            "",
            Duration.ZERO,
            Optional.empty(),
            Optional.empty(),
            OptionalInt.empty(),
            OptionalDouble.empty(),
            OptionalLong.empty(),
            List.of(),
            kinds,
            lengths,
            Resources.none());

    assertThat(ALL.toJson(value))
        .contains("\"lengths\":{\"a\":0,\"b\":0,\"c\":0}")
        .contains("\"kinds\":[\"" + constants[0] + "\",\"" + constants[1] + "\"");
  }

  @Test
  void readsAPartOfAnArray() {
    byte[] bytes = ALL.toCbor(FULL);
    byte[] longer = new byte[bytes.length + 5];
    System.arraycopy(bytes, 0, longer, 2, bytes.length);

    assertThat(ALL.fromCbor(longer, 2, bytes.length)).isEqualTo(FULL);
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> ALL.fromCbor(longer, 6, bytes.length));
  }

  @Test
  void namesTheRecordOfASealedInterface() {
    ValueFormat<Action> actions = ValueFormat.of(Action.class);
    Action resume = new Action.Resume("r", "h", Resources.none(), 2);
    ValueFormat<Preference> preferences = ValueFormat.of(Preference.class);

    assertThat(actions.toJson(resume))
        .isEqualTo("{\"Resume\":{\"instance\":\"r\",\"host\":\"h\",\"attempt\":2}}");
    assertThat(actions.fromCbor(actions.toCbor(resume))).isEqualTo(resume);
    assertThat(ValueFormat.of(Reason.class).toJson(new Reason.Cordoned()))
        .isEqualTo("{\"Cordoned\":{}}");
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> preferences.fromJson("{\"OnHost\":{\"constraint\":{\"Is\":{}}}}"))
        .withMessage("Preference is damaged: OnHost.constraint is of the unknown type Is.");
  }

  /** Names as numbers change the bytes, not the text. */
  @Test
  void namesCanBeNumbers() {
    ValueFormat<All> numbered =
        ValueFormat.of(All.class, List.of("text", "number", "gone"), Map.of());

    byte[] bytes = numbered.toCbor(FULL);

    assertThat(bytes.length).isLessThan(ALL.toCbor(FULL).length);
    assertThat(numbered.fromCbor(bytes)).isEqualTo(FULL);
    assertThat(numbered.fromCbor(ALL.toCbor(FULL))).isEqualTo(FULL);
    assertThat(numbered.toJson(FULL)).isEqualTo(ALL.toJson(FULL));
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> numbered.fromJson("{\"1\":5}"))
        .withMessage("All is damaged: has an unknown member 1.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ValueFormat.of(All.class, List.of("a", "a"), Map.of()))
        .withMessage("name a was given twice.");
  }

  @Test
  void repeatedTextIsWrittenOnce() {
    Reason reason = new Reason.PolicyChoice("c".repeat(300), "c".repeat(300));

    assertThat(ValueFormat.of(Reason.class).toCbor(reason).length).isLessThan(400);
    assertThat(ValueFormat.of(Reason.class).fromCbor(ValueFormat.of(Reason.class).toCbor(reason)))
        .isEqualTo(reason);
  }

  /** A class of an application is written by its properties. */
  @Test
  void writesServiceClassesOfOthers() {
    ServiceClass own =
        new ServiceClass() {
          @Override
          public String name() {
            return "own";
          }

          @Override
          public Slo slo() {
            return new Slo(123_456_789);
          }

          @Override
          public int importance() {
            return 3;
          }

          @Override
          public Duration safetyMargin() {
            return Duration.ofNanos(5);
          }

          @Override
          public double preemptionOverheadLimit() {
            return 0.25;
          }
        };
    ValueFormat<ServiceClass> format = ValueFormat.of(ServiceClass.class);

    ServiceClass read = format.fromCbor(format.toCbor(own));

    assertThat(read)
        .isEqualTo(
            ServiceClass.builder("own")
                .slo(0.123456789)
                .importance(3)
                .safetyMargin(Duration.ofNanos(5))
                .preemptionOverheadLimit(0.25)
                .build());
    assertThat(read.slo()).isEqualTo(own.slo());
  }

  record Hidden(long number) {}

  /** A record whose elements could be left out of a list. */
  public record Holes(List<Optional<String>> holes) {}

  /** A record with a key that is no text. */
  public record Keys(Map<Long, String> keys) {}

  @Test
  void refusesTypesWithoutAFormat() {
    for (Class<?> each : List.of(Object.class, Holes.class, Keys.class, Thread.class)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ValueFormat.of(each))
          .withMessageContaining("has no format. Maybe use records");
    }
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> ValueFormat.of(Hidden.class))
        .withMessageContaining("is not public");
  }

  @Test
  void saysWhereTheDamageIs() {
    refuses("{\"text\":\"\"}", "All is damaged: has no fraction.");
    refuses("{\"number\":1,\"number\":1}", "All is damaged: has two members number.");
    refuses("{\"number\":\"1\"}", "All is damaged: number must be a whole number.");
    refuses("{\"lists\":[[1],[true]]}", "All is damaged: lists[1][0] must be a whole number.");
    refuses(
        "{\"kinds\":[\"NOT_CURABLE\",\"NOT_CURABLE\"]}",
        "All is damaged: kinds has an element twice.");
    refuses(
        "{\"amounts\":{\"cpu\":0}}", "All is damaged: amounts.cpu is 0, which must be left out.");
    refuses("{\"amounts\":{\"cpu\":[1]}}", "All is damaged: amounts.cpu must be an amount.");
    refuses(
        "{\"amounts\":{\"cpu\":[1,0]}}",
        "All is damaged: amounts is refused: dimension cpu: unitsPerWhole was 0, must be at least 1.");
    refuses(
        "{\"length\":1" + "0".repeat(40) + "}",
        "All is damaged: length is too long for a duration.");
    refuses("{\"maybe\":null}", "All is damaged: maybe must be text.");
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> ALL.fromJson("{\"number\":99999999999999999999}"))
        .withMessageStartingWith(
            "All is damaged: Numeric value (99999999999999999999) out of range");
  }

  private static void refuses(String json, String message) {
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> ALL.fromJson(json))
        .withMessage(message);
  }

  @Test
  void keepsRequests() {
    ValueFormat<Request> format = ValueFormat.of(Request.class);
    Request request = Request.builder("r", "c").demand(Resources.none()).build();

    assertThat(format.toJson(request)).isEqualTo("{\"id\":\"r\",\"serviceClass\":\"c\"}");
    assertThat(format.fromJson(format.toJson(request))).hasToString(request.toString());
    assertThat(format).hasToString("format of Request");
  }
}
