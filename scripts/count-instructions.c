/* A plugin of qemu that counts the instructions of a program and prints their number to standard error at its end.
 *
 * qemu's header is not part of Debian's packages, so what is used of it is declared here (plugin interface 1, which newer
 * versions of qemu still load). `scripts/count-instructions --arm` compiles this file. */

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))

struct qemu_plugin_tb;
typedef uint64_t plugin_id;

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*translated)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, int operation, void *number, uint64_t value);
void qemu_plugin_register_atexit_cb(plugin_id id, void (*at_exit)(plugin_id, void *), void *data);

enum { ADD_TO_NUMBER = 0 };

EXPORT int qemu_plugin_version = 1;

static uint64_t instructions;

/* Each time this block of code runs, the number grows by its instructions. */
static void translated(plugin_id id, struct qemu_plugin_tb *block)
{
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(block, ADD_TO_NUMBER, &instructions, qemu_plugin_tb_n_insns(block));
}

static void at_exit(plugin_id id, void *data)
{
    (void)id, (void)data;
    fprintf(stderr, "Collected : %" PRIu64 "\n", instructions);
}

EXPORT int qemu_plugin_install(plugin_id id, const void *info, int count, char **arguments)
{
    (void)info, (void)count, (void)arguments;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, at_exit, NULL);
    return 0;
}
