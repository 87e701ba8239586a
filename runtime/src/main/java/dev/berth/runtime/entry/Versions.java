package dev.berth.runtime.entry;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.Manifest;

/** Finds out the versions of code. */
final class Versions {

  private Versions() {}

  /** Returns the version of the module or jar that a class is in; empty if it does not say. */
  static Optional<String> of(Class<?> type) {
    Module module = type.getModule();
    if (!module.isNamed()) {
      return Optional.ofNullable(type.getPackage()).map(Package::getImplementationVersion);
    }
    Optional<String> version = module.getDescriptor().rawVersion();
    return version.or(() -> ofManifest(module));
  }

  /** Returns the version in the manifest, which packages of named modules do not have. */
  private static Optional<String> ofManifest(Module module) {
    try (InputStream manifest = module.getResourceAsStream("META-INF/MANIFEST.MF")) {
      return manifest == null
          ? Optional.empty()
          : Optional.ofNullable(
              new Manifest(manifest)
                  .getMainAttributes()
                  .getValue(Attributes.Name.IMPLEMENTATION_VERSION));
    } catch (IOException unreadable) { // the version is only for messages
      return Optional.empty();
    }
  }
}
