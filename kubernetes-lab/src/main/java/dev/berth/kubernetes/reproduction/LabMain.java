package dev.berth.kubernetes.reproduction;

import dev.berth.kubernetes.command.KubernetesMain;

/** The entry point of {@code berth kubernetes} with {@code reproduce}, as the script runs it. */
public final class LabMain {

  private LabMain() {}

  /**
   * Runs a command and ends the process.
   *
   * @param args the command and its options; without any, prints the usage
   */
  public static void main(String[] args) {
    KubernetesMain.runAndExit(args, new ReproduceCommand());
  }
}
