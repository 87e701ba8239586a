package dev.berth.cli.run;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.input.InputFile;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.NearestName;
import dev.berth.simulator.fleet.FaultSettings;
import java.util.List;
import java.util.Optional;

/** How unreliable a simulated fleet is, as given by the user: a name, or a file of settings. */
final class Faults {

  private static final String OPTION = "--faults";
  private static final List<String> NAMES = List.of("mild", "rough");

  private Faults() {}

  /**
   * Returns the settings.
   *
   * @param given {@code mild}, {@code rough}, or the path of a JSON file, which overrides a fleet
   *     without faults
   * @throws BadInputException listing everything that is wrong with them
   */
  static FaultSettings parse(String given) {
    Optional<FaultSettings> preset = FaultSettings.preset(given);
    if (preset.isPresent()) {
      return preset.get();
    }
    BadInputException.unless(
        InputFile.exists(given),
        "%s \"%s\" is neither mild or rough nor a file. %s"
            .formatted(OPTION, given, NearestName.hintAndList(given, NAMES)));
    String subject = "faults " + given;
    try {
      return TreeBinder.bind(
          subject,
          "",
          FaultSettings.class,
          FaultSettings.NONE,
          TreeBinder.parse(subject, InputFile.text(given, OPTION)));
    } catch (ConfigException wrong) {
      throw BadInputException.of(subject + ": ", wrong);
    }
  }
}
