package dev.berth.cli.terminal;

import java.lang.module.ModuleDescriptor;
import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version of this build: that of its jar, or of its module. */
public final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {"berth " + number()};
  }

  /** Returns the version alone. */
  public static String number() {
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
        .or(
            () ->
                Optional.ofNullable(Version.class.getModule().getDescriptor())
                    .flatMap(ModuleDescriptor::rawVersion))
        .orElse("(not packaged)");
  }
}
