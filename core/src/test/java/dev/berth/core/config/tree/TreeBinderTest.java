package dev.berth.core.config.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.ConfigException.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TreeBinderTest {

  private static final String KNOWN =
      "Known: watchdog, retries, share, eager, mode, label, zones, range, weights.";

  private static final Settings DEFAULTS =
      new Settings(
          Duration.ofSeconds(10),
          3,
          0.5,
          true,
          Mode.FIRST_FIT,
          "main",
          List.of("a", "b"),
          new Range(0, 10),
          new Weights(1, 0));

  // ---- Valid configurations

  @Test
  void emptyObjectGivesTheDefaults() {
    assertThat(bind("{}")).isEqualTo(DEFAULTS);
  }

  @Test
  void writtenDefaultsReadBack() {
    assertThat(TreeBinder.bind(new Factory(), TreeBinder.toJson(DEFAULTS))).isEqualTo(DEFAULTS);
  }

  @Test
  void writesReadableConfiguration() {
    assertThat(TreeBinder.toJson(DEFAULTS))
        .hasToString(
            "{\"watchdog\":\"10s\",\"retries\":3,\"share\":0.5,\"eager\":true,"
                + "\"mode\":\"first-fit\",\"label\":\"main\",\"zones\":[\"a\",\"b\"],"
                + "\"range\":{\"min\":0,\"max\":10},"
                + "\"weights\":{\"room\":1.0,\"balance\":0.0}}");
  }

  @Test
  void valuesOfEveryTypeReplaceTheirDefaults() {
    assertThat(
            bind(
                """
                {"watchdog": "1h30m", "retries": 0, "share": 1, "eager": false,
                 "mode": "best-fit", "label": "other", "range": {"min": 1, "max": 2},
                 "weights": {"room": 2, "balance": 2.5}, "zones": []}
                """))
        .isEqualTo(
            new Settings(
                Duration.ofMinutes(90),
                0,
                1,
                false,
                Mode.BEST_FIT,
                "other",
                List.of(),
                new Range(1, 2),
                new Weights(2, 2.5)));
  }

  @Test
  void nestedObjectIsMergedWithItsDefaults() {
    assertThat(bind("{\"range\": {\"max\": 7}}").range()).isEqualTo(new Range(0, 7));
  }

  @Test
  void listReplacesItsDefault() {
    assertThat(bind("{\"zones\": [\"c\"]}").zones()).containsExactly("c");
  }

  @Test
  void checksValuesTogetherNotAgainstDefaults() {
    assertThat(bind("{\"range\": {\"min\": 20, \"max\": 30}}").range())
        .isEqualTo(new Range(20, 30));
    assertThat(bind("{\"weights\": {\"room\": 0, \"balance\": 1}}").weights())
        .isEqualTo(new Weights(0, 1));
  }

  @Test
  void valueWithNullDefaultMayHaveAnyType() {
    PolicyFactory<Note> factory = new Noting();

    assertThat(TreeBinder.bind(factory, TreeBinder.parse("test", "{\"text\": \"x\"}")))
        .isEqualTo(new Note("x"));
    assertThat(TreeBinder.bind(factory, TreeBinder.parse("test", "{}"))).isEqualTo(new Note(null));
  }

  // ---- Invalid values

  @Test
  void reportsAllProblemsInTextOrder() {
    List<Problem> problems =
        problems(
            """
            {"watchdogg": "10s", "retries": "three", "share": 2, "mode": "worst-fit",
             "range": {"min": -1, "step": 3}, "eager": null, "zones": "a", "watchdog": "soon"}
            """);

    assertThat(problems)
        .extracting(Problem::path)
        .containsExactlyInAnyOrder(
            "config.watchdogg",
            "config.retries",
            "config.share",
            "config.mode",
            "config.range.min",
            "config.range.step",
            "config.eager",
            "config.zones",
            "config.watchdog");
  }

  @Test
  void messageHasALinePerProblem() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> bind("{\"shar\": 1, \"share\": 2}"))
        .withMessage(
            "policy test: config.shar was 1, but there is no such key. Maybe you meant share. "
                + KNOWN
                + "\n"
                + "policy test: config.share was 2, must be in [0, 1].");
  }

  @Test
  void unknownKeyListsKnownKeysAndASuggestion() {
    assertThat(problems("{\"range\": {\"maximum\": 3}, \"Watchdog\": \"1s\", \"zzzzzz\": 1}"))
        .containsExactlyInAnyOrder(
            new Problem(
                "config.range.maximum", "3", "but there is no such key", "Known: min, max."),
            new Problem(
                "config.Watchdog",
                "\"1s\"",
                "but there is no such key",
                "Maybe you meant watchdog. " + KNOWN),
            new Problem("config.zzzzzz", "1", "but there is no such key", KNOWN));
  }

  @ParameterizedTest
  @CsvSource({
    "retri, retries",
    "label2, label",
    "lable, label", // a swap counts as two
    "zonen, zones",
    "eger, eager",
    "rang, range",
    "change, range",
    "wait, ''",
    "mo, mode", // two may always differ
    "m, ''",
    "wtchdg, watchdog",
    "watchdogging, watchdog", // a third may differ
    "watchdoggings, ''",
  })
  void suggestsTheNearestKeyIfClose(String key, String guess) {
    assertThat(problems("{\"%s\": 1}".formatted(key)))
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.hint())
                    .isEqualTo((guess.isEmpty() ? "" : "Maybe you meant " + guess + ". ") + KNOWN));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'retries': 'x'} | config.retries | 'x' | must be a number | The default is 3.",
        "{'retries': '3'} | config.retries | '3' | must be a number | The default is 3.",
        "{'retries': true} | config.retries | true | must be a number | The default is 3.",
        "{'retries': null} | config.retries | null | must be a number | The default is 3.",
        "{'eager': 1} | config.eager | 1 | must be true or false | The default is true.",
        "{'eager': 'true'} | config.eager | 'true' | must be true or false | The default is true.",
        "{'label': 7} | config.label | 7 | must be a text | The default is 'main'.",
        "{'label': null} | config.label | null | must be a text | The default is 'main'.",
        "{'watchdog': 30} | config.watchdog | 30 | must be a text | The default is '10s'.",
        "{'zones': 'a'} | config.zones | 'a' | must be a list | The default is ['a','b'].",
        "{'zones': {}} | config.zones | {} | must be a list | The default is ['a','b'].",
        "{'range': [1,2]} | config.range | [1,2] | must be an object |"
            + " The default is {'min':0,'max':10}.",
        "{'range': 5} | config.range | 5 | must be an object |"
            + " The default is {'min':0,'max':10}.",
        "{'range': null} | config.range | null | must be an object |"
            + " The default is {'min':0,'max':10}.",
        "{'range': {'min': 'low'}} | config.range.min | 'low' | must be a number |"
            + " The default is 0."
      })
  void wrongTypeNamesTheDefault(String json, String path, String value, String rule, String hint) {
    assertThat(problems(quoted(json)))
        .containsExactly(new Problem(path, quoted(value), rule, quoted(hint)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'retries': -1} | config.retries | -1 | must be 0 or more",
        "{'share': 1.5} | config.share | 1.5 | must be in [0, 1]",
        "{'range': {'min': -1}} | config.range.min | -1 | must be 0 or more",
        "{'range': {'max': -1}} | config.range.max | -1 | min must not exceed max",
        "{'watchdog': '0s'} | config.watchdog | '0s' | must be positive",
        "{'zones': ['a','']} | config.zones | ['a',''] | must not be blank"
      })
  void valueOutOfRangeQuotesTheRecordsRule(String json, String path, String value, String rule) {
    assertThat(problems(quoted(json))).containsExactly(new Problem(path, quoted(value), rule, ""));
  }

  @Test
  void valueThatTheRecordRepeatsIsSaidOnce() {
    assertThat(problems("{\"range\": {\"max\": 9001}}"))
        .containsExactly(new Problem("config.range.max", "9001", "must be below 9000", ""));
  }

  @Test
  void reportsEveryValueOutOfRange() {
    assertThat(problems("{\"retries\": -1, \"share\": 2, \"range\": {\"min\": -1}}"))
        .extracting(Problem::path)
        .containsExactly("config.retries", "config.share", "config.range.min");
  }

  @Test
  void reportsValuesThatConflict() {
    assertThat(problems("{\"range\": {\"min\": 6, \"max\": 5}}"))
        .containsExactly(
            new Problem(
                "config",
                "{\"range\":{\"min\":6,\"max\":5}}",
                "its values contradict each other",
                "min must not exceed max"));
  }

  @Test
  void unknownChoiceListsTheChoices() {
    assertThat(problems("{\"mode\": \"worst-fit\"}"))
        .containsExactly(
            new Problem("config.mode", "\"worst-fit\"", "must be one of first-fit, best-fit", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "10", "-5s", ""})
  void invalidDurationStatesTheRule(String text) {
    assertThat(problems("{\"watchdog\": \"" + text + "\"}"))
        .containsExactly(new Problem("config.watchdog", "\"" + text + "\"", DurationText.RULE, ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.5", "1e2", "3000000000", "1e99"})
  void integerMustBeAWholeNumberInRange(String number) {
    assertThat(problems("{\"retries\": " + number + "}"))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.path()).isEqualTo("config.retries");
              assertThat(problem.rule()).doesNotContain("coerce", "CoercionConfig");
            });
  }

  @Test
  void namesAFractionalNumber() {
    assertThat(problems("{\"retries\": 2.5}"))
        .containsExactly(new Problem("config.retries", "2.5", "must be a whole number", ""));
  }

  @Test
  void namesANumberOutOfRangeInALine() {
    assertThat(problems("{\"retries\": 99999999999}"))
        .singleElement()
        .extracting(Problem::rule, STRING)
        .contains("must be a whole number from -2147483648 to 2147483647")
        .doesNotContain("\n", "Source");
  }

  /** Without a default, the type of a value is that of the record. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'large': 'x'} | large | must be a whole number",
        "{'large': 9223372036854775808} | large |"
            + " must be a whole number from -9223372036854775808 to 9223372036854775807",
        "{'whole': 2147483648} | whole | must be a whole number from -2147483648 to 2147483647",
        "{'small': 32768} | small | must be a whole number from -32768 to 32767",
        "{'ratio': 'x'} | ratio | must be a number",
        "{'flag': 'x'} | flag | must be true or false",
        "{'text': {}} | text | must be a text",
        "{'list': 3} | list | must be a list",
        "{'list': [1, 'x']} | list[1] | must be a whole number",
        "{'map': 3} | map | must be an object",
        "{'id': {}} | id | must have another type",
        "{'time': {}} | time | " + DurationText.RULE,
        "{'array': 3} | array | must be a list",
        "{'inner': 3} | inner | must be an object",
        "{'inner': {'large': 9223372036854775808}} | inner.large |"
            + " must be a whole number from -9223372036854775808 to 9223372036854775807",
        "{'inner': {'small': 32768}} | inner.small |"
            + " must be a whole number from -32768 to 32767",
        "{'inner': {'ratio': 'x'}} | inner.ratio | must be a number",
        "{'inner': {'flag': 'x'}} | inner.flag | must be true or false",
        "{'inner': {'large': null}} | inner.large | must be a whole number",
        "{'inner': {}} | inner | must be a whole number",
        "{'inner': {'large': 1, 'small': 1, 'ratio': 1, 'flag': true, 'larg': 1}} | inner.larg |"
            + " but there is no such key",
      })
  void valueWithoutDefaultMustBeOfTheTypeOfTheRecord(String json, String path, String rule) {
    Anything none =
        new Anything(null, null, null, null, null, null, null, null, null, null, null, null);
    ConfigException thrown =
        catchThrowableOfType(
            ConfigException.class,
            () ->
                TreeBinder.bind(
                    "test", "", Anything.class, none, TreeBinder.parse("test", quoted(json))));

    assertThat(thrown.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.path()).isEqualTo(path);
              assertThat(problem.rule()).isEqualTo(rule);
              assertThat(problem.hint())
                  .isEqualTo(
                      path.endsWith("larg")
                          ? "Maybe you meant large. Known: flag, large, ratio, small."
                          : "");
            });
  }

  @Test
  void wholeNumbersInAListMustNotBeFractional() {
    assertThat(problems("sizes", "{\"counts\": [1, 2.5]}"))
        .containsExactly(new Problem("sizes.counts[1]", "2.5", "must be a whole number", ""));
  }

  @Test
  void pathStartsWithTheKeyIfTheTreeIsTheWholeText() {
    assertThat(problems("", "{\"counts\": 1, \"inner\": {\"min\": true}}"))
        .extracting(Problem::path)
        .containsExactly("counts", "inner.min");
  }

  // ---- Malformed text

  @ParameterizedTest
  @ValueSource(strings = {"[]", "3", "\"x\"", "null", "true"})
  void reportsAValueThatIsNoObject(String json) {
    assertThat(problems(json))
        .containsExactly(new Problem("config", json, "must be a JSON object", ""));
  }

  @Test
  void reportsEmptyText() {
    assertThat(problems(""))
        .singleElement()
        .satisfies(problem -> assertThat(problem.rule()).startsWith("must be a JSON object"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "{\"retries\": }",
        "{retries: 3}",
        "{'retries': 3}",
        "{\"retries\": 3,}",
        "{} {}",
        "{} x",
        "{\"retries\": NaN}",
        "// note\n{}",
        "{\"retries\": 03}"
      })
  void malformedJsonNamesItsPosition(String text) {
    assertThat(problems(text))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.path()).isEqualTo("config");
              assertThat(problem.value()).isEqualTo("not JSON");
              assertThat(problem.rule())
                  .startsWith("must be a JSON object: ")
                  .containsPattern("\\(line \\d+, column \\d+\\)");
            });
  }

  /** The parser does not tell where it stops to read too deep a text. */
  @Test
  void textNestedTooDeepHasNoPosition() {
    assertThat(problems("{\"a\":".repeat(2_000) + "1" + "}".repeat(2_000)))
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.rule())
                    .startsWith("must be a JSON object: ")
                    .contains("within each other")
                    .doesNotContain("line"));
  }

  @Test
  void duplicateKeyNamesItsPosition() {
    assertThat(problems("{\"retries\": 3,\n \"retries\": 4}"))
        .singleElement()
        .satisfies(
            problem -> assertThat(problem.rule()).contains("retries").contains("(line 2, column"));
  }

  @Test
  void namesTheSubject() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> TreeBinder.parse("policy acme.best-fit", "{"))
        .withMessageStartingWith("policy acme.best-fit: config was not JSON, must be");
  }

  private static Settings bind(String json) {
    return TreeBinder.bind(new Factory(), TreeBinder.parse("policy test", json));
  }

  private static List<Problem> problems(String json) {
    ConfigException thrown = catchThrowableOfType(ConfigException.class, () -> bind(json));
    assertThat(thrown).as("binding of %s", json).isNotNull();
    return thrown.problems();
  }

  /** Returns the problems of a configuration of sizes that is at a path of a text. */
  private static List<Problem> problems(String path, String json) {
    Sizes defaults = new Sizes(List.of(1), new Range(0, 1));
    ConfigException thrown =
        catchThrowableOfType(
            ConfigException.class,
            () ->
                TreeBinder.bind(
                    "test", path, Sizes.class, defaults, TreeBinder.parse("test", json)));
    assertThat(thrown).as("binding of %s", json).isNotNull();
    return thrown.problems();
  }

  private static String quoted(String singleQuoted) {
    return singleQuoted == null ? "" : singleQuoted.replace('\'', '"');
  }

  enum Mode {
    FIRST_FIT,
    BEST_FIT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  record Range(int min, int max) {
    Range {
      require(min >= 0 || max < 0, "min must be 0 or more.");
      require(min <= max, "min must not exceed max");
      require(max < 9_000, "max was %s, must be below 9000".formatted(max));
    }
  }

  record Sizes(List<Integer> counts, Range inner) {}

  @SuppressWarnings("ArrayRecordComponent") // an author may declare one all the same
  record Anything(
      @Nullable Long large,
      @Nullable Integer whole,
      @Nullable Short small,
      @Nullable Double ratio,
      @Nullable Boolean flag,
      @Nullable String text,
      @Nullable List<Integer> list,
      @Nullable Map<String, Integer> map,
      @Nullable UUID id,
      @Nullable Duration time,
      int @Nullable [] array,
      @Nullable Inner inner) {}

  record Inner(long large, short small, double ratio, boolean flag) {}

  record Weights(double room, double balance) {
    Weights {
      require(room + balance > 0, "weights must not all be 0");
    }
  }

  record Settings(
      Duration watchdog,
      int retries,
      double share,
      boolean eager,
      Mode mode,
      String label,
      List<String> zones,
      Range range,
      Weights weights) {
    Settings {
      require(!watchdog.isNegative() && !watchdog.isZero(), "watchdog must be positive");
      require(retries >= 0, "retries must be 0 or more.");
      require(share >= 0 && share <= 1, "share must be in [0, 1]");
      require(zones.stream().noneMatch(String::isBlank), "zones must not be blank");
      zones = List.copyOf(zones);
    }
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }

  static final class Factory implements PolicyFactory<Settings> {
    @Override
    public String id() {
      return "test";
    }

    @Override
    public String summary() {
      return "does nothing, in several ways";
    }

    @Override
    public Settings defaults() {
      return DEFAULTS;
    }

    @Override
    public Policy create(Settings config, PolicyContext context) {
      return pass -> {};
    }
  }

  record Note(@Nullable String text) {}

  private static final class Noting implements PolicyFactory<Note> {
    @Override
    public String id() {
      return "noting";
    }

    @Override
    public String summary() {
      return "has a setting without a default";
    }

    @Override
    public Note defaults() {
      return new Note(null);
    }

    @Override
    public Policy create(Note config, PolicyContext context) {
      return pass -> {};
    }
  }
}
