package dev.berth.core.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Loads the engine and the API once more, with a {@linkplain Steps step} wherever an error of the
 * virtual machine may occur:
 *
 * <ul>
 *   <li>when a method begins, since the stack may overflow;
 *   <li>before each allocation;
 *   <li>before and after each call of a method of others, since a collection may fail before or
 *       after it has changed.
 * </ul>
 *
 * <p>Tests of the engine are loaded as well, so that they use these classes, but without steps.
 * Package {@code dev.berth.core.faults} is shared.
 */
public final class Instrumenter extends ClassLoader {

  private static final String SHARED = "dev.berth.core.faults.";
  private static final String STEPS = Steps.class.getName().replace('.', '/');

  /** Creates a loader whose parent is the loader of this class. */
  public Instrumenter() {
    super(Instrumenter.class.getClassLoader());
  }

  /** Returns an object of a test class, loaded here. */
  public <T> T make(Class<T> type, String implementation) {
    try {
      return type.cast(loadClass(implementation).getDeclaredConstructor().newInstance());
    } catch (ReflectiveOperationException missing) {
      throw new LinkageError(missing.getMessage(), missing);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      boolean ours = name.startsWith("dev.berth.") && !name.startsWith(SHARED);
      if (!ours) {
        return super.loadClass(name, resolve);
      }
      Class<?> known = findLoadedClass(name);
      return known == null ? define(name) : known;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String path = name.replace('.', '/') + ".class";
    URL found = getParent().getResource(path);
    if (found == null) {
      throw new ClassNotFoundException(name);
    }
    try (InputStream in = found.openStream()) {
      byte[] bytes = in.readAllBytes();
      byte[] used = isOfTests(found) ? bytes : withSteps(bytes);
      return defineClass(name, used, 0, used.length);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Returns whether a class comes from the same place as this one. */
  private static boolean isOfTests(URL found) {
    String here = Instrumenter.class.getProtectionDomain().getCodeSource().getLocation().toString();
    return found.toString().startsWith(here);
  }

  private static byte[] withSteps(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String type, String signature, String[] exceptions) {
            MethodVisitor plain = super.visitMethod(access, name, type, signature, exceptions);
            return name.equals("<clinit>") ? plain : new StepAdder(plain);
          }
        },
        0);
    return writer.toByteArray();
  }

  private static final class StepAdder extends MethodVisitor {

    StepAdder(MethodVisitor plain) {
      super(Opcodes.ASM9, plain);
    }

    private void step() {
      super.visitMethodInsn(Opcodes.INVOKESTATIC, STEPS, "step", "()V", false);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      step();
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      if (opcode == Opcodes.ANEWARRAY) {
        step();
      }
      super.visitTypeInsn(opcode, type);
      if (opcode == Opcodes.NEW) {
        step(); // after it: frames refer to the position of the instruction
      }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      if (opcode == Opcodes.NEWARRAY) {
        step();
      }
      super.visitIntInsn(opcode, operand);
    }

    @Override
    public void visitMultiANewArrayInsn(String type, int dimensions) {
      step();
      super.visitMultiANewArrayInsn(type, dimensions);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String type, Handle bootstrap, Object... arguments) {
      step();
      super.visitInvokeDynamicInsn(name, type, bootstrap, arguments);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String type, boolean isInterface) {
      boolean ofOthers = !owner.startsWith("dev/berth/") && !isTrivial(owner, name);
      if (ofOthers) {
        step();
      }
      super.visitMethodInsn(opcode, owner, name, type, isInterface);
      if (ofOthers) {
        step();
      }
    }

    private static boolean isTrivial(String owner, String name) {
      return owner.equals("java/lang/Object") && name.equals("<init>");
    }
  }
}
