package dev.berth.cli;

import picocli.CommandLine.IVersionProvider;

/** The version in the manifest of our jar. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {"berth " + number()};
  }

  private static String number() {
    String inManifest = Berth.class.getPackage().getImplementationVersion();
    return inManifest == null ? "(not packaged)" : inManifest;
  }
}
