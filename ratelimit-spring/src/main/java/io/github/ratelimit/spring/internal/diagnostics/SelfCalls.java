package io.github.ratelimit.spring.internal.diagnostics;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * Finds calls of a bean's limited methods that come from its own class: they pass no proxy.
 *
 * <p>Only certain mistakes are reported. A method that may hold another object of the class, such as the bean's proxy, is left out. Calls from
 * other classes of a hierarchy are left out, too.
 */
final class SelfCalls {

    private SelfCalls() {}

    /**
     * Reads the class file.
     *
     * @param type as it is written, no proxy's
     * @return texts such as {@code sendAll calls send}; none if there is no class file to read
     */
    static Set<String> of(Class<?> type, Set<Method> limited) {
        Set<String> found = new TreeSet<>();
        try (InputStream file = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
            if (file != null) {
                Reading reading = new Reading(Type.getInternalName(type), signatures(limited), found);
                new ClassReader(file).accept(reading, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            }
        } catch (IOException | IllegalArgumentException e) {
            found.clear(); // a newer form than ASM reads
        }
        return found;
    }

    private static Set<String> signatures(Set<Method> methods) {
        Set<String> signatures = new HashSet<>();
        for (Method method : methods) {
            signatures.add(method.getName() + Type.getMethodDescriptor(method));
        }
        return signatures;
    }

    private static final class Reading extends ClassVisitor {

        private final String own;
        private final Set<String> limited;
        private final Set<String> found;

        Reading(String own, Set<String> limited, Set<String> found) {
            super(SpringAsmInfo.ASM_VERSION);
            this.own = own;
            this.limited = limited;
            this.found = found;
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            if ((access & Opcodes.ACC_BRIDGE) != 0) {
                return null; // the compiler's way from the types of a superclass or an interface to the method
            }
            return new MethodVisitor(SpringAsmInfo.ASM_VERSION) {

                private final Set<String> calls = new TreeSet<>();
                private boolean holdsAnother = descriptor.contains(ownDescriptor());

                @Override
                public void visitFieldInsn(int opcode, String owner, String field, String type) {
                    holdsAnother |= type.equals(ownDescriptor());
                }

                @Override
                public void visitTypeInsn(int opcode, String type) {
                    holdsAnother |= type.equals(own) && (opcode == Opcodes.NEW || opcode == Opcodes.CHECKCAST);
                }

                @Override
                public void visitMethodInsn(int opcode, String owner, String called, String type, boolean isInterface) {
                    holdsAnother |= type.endsWith(")" + ownDescriptor());
                    call(owner, called, type);
                }

                @Override
                public void visitInvokeDynamicInsn(String called, String type, Handle bootstrap, Object... arguments) {
                    for (Object argument : arguments) {
                        if (argument instanceof Handle handle) { // this::send
                            call(handle.getOwner(), handle.getName(), handle.getDesc());
                        }
                    }
                }

                private void call(String owner, String called, String type) {
                    if (owner.equals(own) && limited.contains(called + type)) {
                        calls.add(called);
                    }
                }

                @Override
                public void visitEnd() {
                    if (!holdsAnother) {
                        calls.forEach(called -> found.add(written(name) + " calls " + called));
                    }
                }
            };
        }

        private String ownDescriptor() {
            return "L" + own + ";";
        }

        /** The compiler names a moved part after its method: {@code lambda$sendAll$0}. */
        private static String written(String name) {
            String[] parts = name.split("\\$", -1);
            return parts.length == 3 && parts[0].equals("lambda") ? parts[1] : name;
        }
    }
}
