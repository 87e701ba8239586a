package dev.berth.cli.terminal;

import picocli.CommandLine.IVersionProvider;

/** The version in the manifest of our jar. */
public final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {"berth " + number()};
  }

  private static String number() {
    String inManifest = Version.class.getPackage().getImplementationVersion();
    return inManifest == null ? "(not packaged)" : inManifest;
  }
}
