# %%
def made():
    def average(total, count, x):
        seen = count + 1
        return total + x, seen, (total + x) / seen

    return average


average = made()
