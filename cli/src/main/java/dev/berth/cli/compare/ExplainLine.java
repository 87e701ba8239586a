package dev.berth.cli.compare;

import dev.berth.cli.terminal.ShellWord;
import dev.berth.core.config.Durations;
import dev.berth.experiments.store.RequestLife;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The command line of {@code berth explain} that asks about a request of a run that has ended. */
final class ExplainLine {

  private static final String CONFIG = "--config";
  private static final Set<String> OF_OUTPUT =
      Set.of("--help", "--version", "--json", "--quiet", "--verbose");

  private final CommandSpec ran;
  private final CommandSpec explain;

  /**
   * Creates the source of command lines.
   *
   * @param ran the command that ran, after its options were read
   */
  ExplainLine(CommandSpec ran) {
    this.ran = ran;
    this.explain =
        Objects.requireNonNull(ran.parent().subcommands().get("explain")).getCommandSpec();
  }

  /**
   * Returns the line in parts that blanks join, with those options of the command that ran which
   * the run depends on: the command first, then each option.
   *
   * @param policy id of the policy
   * @param job the request
   * @param until end of the run
   */
  List<String> about(String policy, RequestLife job, Duration until) {
    boolean isOption = job.id().startsWith("-"); // as far as the command can tell
    List<String> parts =
        parts(
            isOption ? "" : " " + ShellWord.quoted(job.id()),
            Durations.format(time(job, until)),
            policy);
    if (isOption) {
      parts.add("-- " + ShellWord.quoted(job.id()));
    }
    return parts;
  }

  /**
   * Returns the line about any request at any time, with the places {@code {id}} and {@code {at}}.
   */
  String template(String policy) {
    return String.join(" ", parts(" {id}", "{at}", policy));
  }

  private List<String> parts(String job, String at, String policy) {
    Set<String> options = new LinkedHashSet<>();
    for (CommandSpec spec = ran; spec != null; spec = spec.parent()) {
      spec.commandLine()
          .getParseResult()
          .matchedOptions()
          .forEach(each -> options.addAll(words(each, policy)));
    }
    List<String> parts = new ArrayList<>();
    parts.add("berth explain%s --at %s --policy %s".formatted(job, at, ShellWord.quoted(policy)));
    parts.addAll(options);
    return parts;
  }

  /** Returns the option with each of its values; nothing if the explanation has no use for it. */
  private List<String> words(OptionSpec option, String policy) {
    String name = option.longestName();
    return OF_OUTPUT.contains(name) || explain.findOption(name) == null
        ? List.of()
        : option.originalStringValues().stream()
            .filter(value -> !name.equals(CONFIG) || value.startsWith(policy + "="))
            .map(value -> name + " " + ShellWord.quoted(value))
            .toList();
  }

  /**
   * Returns a time at which the explanation says why the request waited: the end of the run if it
   * is unfinished; else within its first wait if most of its waiting was that; else just before its
   * end.
   */
  static Duration time(RequestLife job, Duration until) {
    if (job.ended().isEmpty()) {
      return until;
    }
    long end = job.ended().getAsLong();
    long placed = job.placed().orElse(end);
    long at =
        placed > job.submitted() && 2 * (placed - job.submitted()) >= job.waiting()
            ? job.submitted() + (placed - job.submitted()) / 2
            : end - 1;
    Duration seconds = Duration.ofSeconds(Duration.ofNanos(at).toSeconds());
    return seconds.toNanos() >= job.submitted() ? seconds : Duration.ofNanos(at);
  }
}
