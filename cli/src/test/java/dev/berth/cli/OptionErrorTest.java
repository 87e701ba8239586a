package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.error.ExitCode;
import dev.berth.cli.terminal.Environment;
import dev.berth.cli.terminal.Interruption;
import dev.berth.cli.terminal.ProgressMode;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Errors of the command line name the option, its value and the rule, as all other errors do. */
class OptionErrorTest {

  private static final String NONSENSE = "1.5x%";

  /** A command and one of its options. */
  private record Given(String command, OptionSpec option) {
    @Override
    public String toString() {
      return command + " " + option.longestName();
    }
  }

  static Stream<Given> optionsWithTypes() {
    StringWriter nowhere = new StringWriter();
    CommandLine all =
        Berth.commandLine(
            new Environment(false, ProgressMode.NONE), new Interruption(), nowhere, nowhere);
    List<Given> given = new ArrayList<>();
    collect(all, given);
    assertThat(given).hasSizeGreaterThan(40);
    return given.stream();
  }

  private static void collect(CommandLine command, List<Given> given) {
    for (OptionSpec each : command.getCommandSpec().options()) {
      Class<?> value = each.isMultiValue() ? each.auxiliaryTypes()[0] : each.type();
      boolean anyText = value == String.class || value == Path.class;
      if (!anyText && each.arity().max() > 0) {
        given.add(new Given(command.getCommandSpec().qualifiedName(), each));
      }
    }
    command.getSubcommands().values().forEach(each -> collect(each, given));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("optionsWithTypes")
  void everyOptionExplainsItsValue(Given given) {
    List<String> args = new ArrayList<>(List.of(given.command().split(" ")));
    args.remove(0);
    args.add(given.option().longestName() + "=" + NONSENSE);
    Cli.Result result = Cli.run(args.toArray(String[]::new));
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err())
        .startsWith(
            "berth: %s was \"%s\", must be ".formatted(given.option().longestName(), NONSENSE))
        .doesNotContain("Invalid value", "Exception", "Could not convert");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "compare --seed abc | --seed was \"abc\", must be a whole number.",
        "compare --seed 99999999999999999999 | --seed was \"99999999999999999999\", must be a whole"
            + " number from -9223372036854775808 to 9223372036854775807.",
        "compare --skip-bad 3000000000 | --skip-bad was \"3000000000\", must be a whole number from"
            + " -2147483648 to 2147483647.",
        "compare --until 10x | --until was \"10x\", must be a duration such as 30s, 1500ms, 10m,"
            + " 1h30m or 2d.",
        "workload sample x --out y.csv --count 1.5 | --count was \"1.5\", must be a whole number.",
        "workload sample x --out y.csv --groups 0 | --groups was 0, must be positive.",
        "workload sample x --out y.csv --share 2 | --share was 2, must be above 0 and at most 1.",
        "workload generate --out y.csv --requests -1 | --requests was -1, must be positive.",
        "bench scale --scale big | --scale was \"big\", must be a number such as 0.5.",
        "bench scale --days NaN | --days was \"NaN\", must be a number such as 0.5.",
        "bench scale --scale 1e999999999 | --scale was \"1e999999999\", must be a number with at most"
            + " 64 digits.",
        "reproduce google-samples --scale 1,a | --scale was \"a\", must be a number such as 0.5.",
        "compare --bounds=maybe | --bounds was \"maybe\", must be true or false.",
        "compare --seed | --seed has no value, must be --seed=N.",
        "compare --seed --until 5m | --seed has no value before \"--until\", must be --seed=N.",
        "compare --seed 1 --seed 2 | --seed is given twice, must be given at most once.",
        "compare --polices priority | berth compare has no option --polices. Maybe you meant"
            + " --policies.",
        "compare --jsno=x | berth compare has no option --jsno. Maybe you meant --json.",
        "compare surplus | \"surplus\" is one argument too many, berth compare takes options only.",
        "explain a b --at 1m | \"b\" is one argument too many, berth explain takes only INSTANCE.",
        "explain gold-1 | --at is missing, must be --at=DURATION.",
        "explain --at 20m | INSTANCE is missing, must be given.",
        "comapre | berth has no command \"comapre\". Maybe you meant compare.",
        "reproduce memic2 | there is no study \"memic2\". Maybe you meant memic-2. Known:"
            + " validation-1, validation-2, google-samples, slo-driven-loads, borgsim-snapshots, generated-snapshots,"
            + " hysteresis, hysteresis-google, hysteresis-month, work-that-ends, work-that-ends-all,"
            + " work-that-ends-logs, memic-1, memic-2, memic-4, memic-sensitivity, queues-cea, queues-hpc2n,"
            + " queues-zewura, molding-zewura, elastic-1, elastic-2, elastic-sweep,"
            + " elastic-sweep-2, elastic-trace,"
            + " meta-all. Or all.",
        "compare --workload validaton-1 | --workload \"validaton-1\" is neither built in nor a"
            + " file. Maybe you meant validation-1. Known: validation-1, validation-2, memic-1,"
            + " memic-2, memic-4, memic-parsec, render-farm, mixed.",
        "workload describe memic2 | memic2: does not exist. Maybe you meant memic-2.",
        "explain bronz-17 --at 20m --workload validation-1 | no instance \"bronz-17\" in validation-1. Maybe you meant"
            + " bronze-17. There are 256: gold-34, gold-25, gold-71, gold-40, bronze-92, ...",
        "workload smaple | berth workload has no command \"smaple\". Maybe you meant sample.",
      })
  void explainsInOneLine(String commandLine, String expected) {
    Cli.Result result = Cli.run(commandLine.split(" "));
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err().lines().findFirst()).hasValue("berth: " + expected);
    assertThat(result.err().lines()).hasSize(2);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "compare --policies qos-drivn,prioritty | no policy qos-drivn. Maybe you meant qos-driven."
            + " | no policy prioritty. Maybe you meant priority.",
        "policies qos-drivn prioritty | no policy qos-drivn. Maybe you meant qos-driven. | no policy"
            + " prioritty. Maybe you meant priority.",
      })
  void explainsAllProblems(String commandLine, String first, String second) {
    Cli.Result result = Cli.run(commandLine.split(" "));
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err().lines())
        .startsWith("berth: " + first, "berth: " + second, "berth: 'berth policies' lists all.")
        .hasSize(4);
  }
}
