package dev.berth.cli.error;

import dev.berth.core.error.NearestName;
import dev.berth.core.error.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Describes what is wrong with a command line, in the form of all other messages.
 *
 * @param wrong what the parser throws
 * @param args the command line
 */
record CommandLineProblem(ParameterException wrong, List<String> args) {

  /** Returns the problems, a line for each. */
  List<String> lines() {
    if (wrong instanceof MissingParameterException missing) {
      return missing.getMissing().stream().map(this::missing).toList();
    }
    if (wrong instanceof OverwrittenOptionException repeated) {
      return List.of(
          "%s is given twice, must be given at most once."
              .formatted(name(repeated.getOverwritten())));
    }
    if (wrong instanceof UnmatchedArgumentException unmatched) {
      return unmatched(unmatched.getUnmatched());
    }
    if (wrong.getArgSpec() != null && wrong.getCause() instanceof TypeConversionException value) {
      return List.of(name(wrong.getArgSpec()) + " " + value.getMessage());
    }
    return String.valueOf(wrong.getMessage()).lines().toList();
  }

  private static String name(ArgSpec arg) {
    return arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
  }

  private String missing(ArgSpec arg) {
    if (!(arg instanceof OptionSpec option)) {
      return "%s is missing, must be given.".formatted(arg.paramLabel());
    }
    int at = args.indexOf(option.longestName());
    String expected = "must be %s=%s".formatted(option.longestName(), option.paramLabel());
    if (at < 0) {
      return "%s is missing, %s.".formatted(option.longestName(), expected);
    }
    return at + 1 < args.size()
        ? "%s has no value before \"%s\", %s."
            .formatted(option.longestName(), Printable.quote(args.get(at + 1)), expected)
        : "%s has no value, %s.".formatted(option.longestName(), expected);
  }

  private List<String> unmatched(List<String> arguments) {
    List<String> problems = new ArrayList<>();
    boolean afterOption = false; // whose value the parser does not recognise either
    for (String each : arguments) {
      boolean option = each.startsWith("-");
      if (option || !afterOption) {
        problems.add(option ? unknownOption(each) : unknownWord(each));
      }
      afterOption = option;
    }
    return problems;
  }

  private String unknownOption(String given) {
    String name = given.contains("=") ? given.substring(0, given.indexOf('=')) : given;
    CommandSpec command = wrong.getCommandLine().getCommandSpec();
    List<String> known = command.options().stream().map(OptionSpec::longestName).toList();
    return sentence(
        "%s has no option %s.".formatted(command.qualifiedName(), Printable.quote(name)),
        NearestName.hint(name, known));
  }

  private String unknownWord(String given) {
    CommandLine command = wrong.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    if (!command.getSubcommands().isEmpty()) {
      return sentence(
          "%s has no command \"%s\".".formatted(name, Printable.quote(given)),
          NearestName.hint(given, command.getSubcommands().keySet()));
    }
    String labels =
        command.getCommandSpec().positionalParameters().stream()
            .map(ArgSpec::paramLabel)
            .collect(Collectors.joining(" "));
    return "\"%s\" is one argument too many, %s takes %s."
        .formatted(
            Printable.quote(given), name, labels.isEmpty() ? "options only" : "only " + labels);
  }

  private static String sentence(String problem, String hint) {
    return hint.isEmpty() ? problem : problem + " " + hint;
  }
}
